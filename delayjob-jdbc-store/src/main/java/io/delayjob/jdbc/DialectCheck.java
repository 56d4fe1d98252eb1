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
 * Has a database read all statements of a dialect that was made for another one. Otherwise the first call of each would
 * find out whether it can, and try again for ever.
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
            throw StoreErrors.translate("having its statements read", away);
        }
    }

    /** What the database calls itself; empty if the dialect is its own. */
    private Optional<String> foreignProduct() {
        try {
            return JdbcUtils.extractDatabaseMetaData(
                    database.dataSource(),
                    product -> database.dialect().isOwnOf(product)
                            ? Optional.empty()
                            : Optional.of(product.getDatabaseProductName()));
        } catch (MetaDataAccessException away) {
            throw new DataAccessResourceFailureException("The database did not say what it is", away);
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
            log.debug("It cannot be told whether {} reads this statement: {}", product, statement.text(), failure);
        }
    }
}
