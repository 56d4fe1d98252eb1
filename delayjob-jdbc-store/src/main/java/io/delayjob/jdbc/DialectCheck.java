package io.delayjob.jdbc;

import java.util.Optional;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
import org.springframework.dao.DataAccessException;
import org.springframework.dao.DataAccessResourceFailureException;
import org.springframework.jdbc.BadSqlGrammarException;
import org.springframework.jdbc.support.JdbcUtils;
import org.springframework.jdbc.support.MetaDataAccessException;

/**
 * Lets the database parse all statements of a dialect that was made for another database. Without this check, delayjob
 * would repeat a wrong statement for ever.
 */
final class DialectCheck {

    private static final Logger log = LoggerFactory.getLogger(DialectCheck.class);

    private final Database database;

    DialectCheck(Database database) {
        this.database = database;
    }

    void check() {
        try {
            foreignProduct()
                    .ifPresent(product -> database.statements().forEach(statement -> check(statement, product)));
        } catch (DataAccessException away) {
            throw StoreErrors.translate("checking its dialect", away);
        }
    }

    /** Empty if the dialect was made for this database. */
    private Optional<String> foreignProduct() {
        try {
            return JdbcUtils.extractDatabaseMetaData(
                    database.dataSource(),
                    product -> database.dialect().isOwnOf(product)
                            ? Optional.empty()
                            : Optional.of(product.getDatabaseProductName()));
        } catch (MetaDataAccessException away) {
            throw new DataAccessResourceFailureException(
                    "The name of the database product could not be read from its JDBC metadata.", away);
        }
    }

    private void check(Sql statement, String product) {
        try {
            database.prepare(statement);
        } catch (BadSqlGrammarException refusal) {
            throw database.dialect().refusal(product, statement.text(), refusal.getMostSpecificCause());
        } catch (DataAccessException failure) {
            if (StoreErrors.isPassing(failure)) {
                throw failure;
            }
            log.debug(
                    "delayjob could not check whether the database {} accepts an SQL statement, and continues "
                            + "without the check. The statement: {}",
                    product,
                    statement.text(),
                    failure);
        }
    }
}
