package io.delayjob.autoconfigure;

import io.delayjob.jdbc.JdbcJobStore;
import io.delayjob.store.StoreException;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
import org.springframework.beans.factory.SmartInitializingSingleton;

/**
 * Checks at start that the tables exist and fit this version. Also checks that the database accepts the SQL of the
 * dialect.
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
            log.warn(
                    "The job store does not answer yet. delayjob starts without it, and keeps trying to reach it. "
                            + "The reason: {}",
                    failure.getMessage());
        }
    }
}
