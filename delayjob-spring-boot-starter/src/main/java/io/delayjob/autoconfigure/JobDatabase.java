package io.delayjob.autoconfigure;

import io.delayjob.jdbc.dialect.Dialect;
import javax.sql.DataSource;
import org.springframework.beans.factory.ObjectProvider;
import org.springframework.jdbc.support.JdbcTransactionManager;
import org.springframework.jdbc.support.JdbcUtils;
import org.springframework.jdbc.support.MetaDataAccessException;
import org.springframework.transaction.PlatformTransactionManager;

/**
 * The database of the job tables, and the manager of the transactions that jobs are written in.
 *
 * @param dataSource the database
 * @param transactionManager manages transactions on it
 */
record JobDatabase(DataSource dataSource, PlatformTransactionManager transactionManager) {

    static JobDatabase choose(
            ObjectProvider<DataSource> any,
            ObjectProvider<DataSource> marked,
            ObjectProvider<PlatformTransactionManager> anyManager,
            ObjectProvider<PlatformTransactionManager> markedManager) {
        DataSource ours = marked.getIfAvailable();
        DataSource dataSource = ours == null ? any.getObject() : ours;
        PlatformTransactionManager manager = markedManager.getIfAvailable();
        if (manager == null && ours == null) {
            // That of a second database is not ours: jobs would be written outside of the transactions that it manages.
            manager = anyManager.getIfUnique();
        }
        return new JobDatabase(dataSource, manager == null ? new JdbcTransactionManager(dataSource) : manager);
    }

    /** What the database of the job tables speaks. */
    static Dialect dialect(DataSource dataSource) {
        try {
            return JdbcUtils.extractDatabaseMetaData(dataSource, Dialect::of);
        } catch (MetaDataAccessException away) {
            throw new IllegalStateException(
                    "The database of the job tables does not say what it is: is it running?", away);
        }
    }
}
