package io.delayjob.autoconfigure;

import io.delayjob.jdbc.JdbcJobStore;
import io.delayjob.store.StoreException;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
import org.springframework.beans.factory.SmartInitializingSingleton;

/**
 * Looks at start whether the tables are there, and of this version, and whether the database reads the SQL of the named
 * dialect: otherwise nothing works, and everything would try again for ever.
 */
final class JobTablesCheck implements SmartInitializingSingleton {

    private static final Logger log = LoggerFactory.getLogger(JobTablesCheck.class);

    private final JdbcJobStore store;

    JobTablesCheck(JdbcJobStore store) {
        this.store = store;
    }

    @Override
    public void afterSingletonsInstantiated() {
        try {
            store.checkTables();
            store.checkDialect();
        } catch (IllegalArgumentException foreign) {
            throw JobDatabaseException.unsupported(foreign);
        } catch (StoreException failure) {
            if (!failure.isTransient()) {
                throw new UnusableJobTablesException(failure, store.platform());
            }
            log.warn("The job store does not answer yet; delayjob keeps trying: {}", failure.getMessage());
        }
    }
}
