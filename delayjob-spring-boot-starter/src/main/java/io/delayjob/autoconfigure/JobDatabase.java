package io.delayjob.autoconfigure;

import io.delayjob.internal.jdbc.dialect.Dialect;
import io.delayjob.jdbc.JdbcJobStore;
import io.delayjob.settings.EngineSettings;
import java.sql.Connection;
import java.sql.DatabaseMetaData;
import java.sql.SQLException;
import javax.sql.DataSource;
import org.springframework.beans.factory.ListableBeanFactory;
import org.springframework.beans.factory.ObjectProvider;
import org.springframework.jdbc.support.JdbcTransactionManager;
import org.springframework.transaction.PlatformTransactionManager;
import org.springframework.util.StringUtils;

/** The database of the job tables, and the manager of its transactions. */
record JobDatabase(
        DataSource dataSource, PlatformTransactionManager transactionManager, DelayJobJdbcProperties properties) {

    static JobDatabase choose(
            ObjectProvider<DataSource> any,
            ObjectProvider<DataSource> marked,
            ObjectProvider<PlatformTransactionManager> anyManager,
            ObjectProvider<PlatformTransactionManager> markedManager,
            ListableBeanFactory beans,
            DelayJobJdbcProperties properties) {
        DataSource ours = marked.getIfAvailable();
        DataSource dataSource = ours == null ? any.getObject() : ours;
        PlatformTransactionManager manager = markedManager.getIfAvailable();
        if (manager == null && ours == null) {
            // The transactions of another database's manager would not contain the jobs.
            manager = anyManager.getIfUnique();
        }
        if (manager == null) {
            manager = ManagersOfDataSource.only(beans, dataSource);
        }
        return new JobDatabase(
                dataSource, manager == null ? new JdbcTransactionManager(dataSource) : manager, properties);
    }

    JdbcJobStore store(DelayJobProperties general, EngineSettings settings, JobPool pool) {
        return JdbcJobStore.builder(dataSource, transactionManager)
                .dialect(dialect().platform())
                .tablePrefix(properties.tables().prefix())
                .maxPayloadBytes(general.payload().maxReadBytes())
                .maxHandlerConnections(pool.mostForHandlers())
                .requireTransaction(properties.requireTransaction())
                .heartbeatTimeout(settings.cluster().liveness().multipliedBy(3).dividedBy(10))
                .build();
    }

    Dialect dialect() {
        return dialect(dataSource, properties);
    }

    static Dialect dialect(DataSource dataSource, DelayJobJdbcProperties properties) {
        // Not with JdbcUtils, because a pool throws its own exceptions if its first connection fails.
        try (Connection connection = connect(dataSource)) {
            return dialect(connection, properties);
        } catch (SQLException away) {
            throw JobDatabaseException.unreachable(away);
        }
    }

    static Dialect dialect(Connection connection, DelayJobJdbcProperties properties) throws SQLException {
        String named = properties.dialect();
        return StringUtils.hasText(named)
                ? InvalidSettingException.checked("delayjob.jdbc.dialect", () -> Dialect.named(named))
                : detected(connection.getMetaData());
    }

    private static Connection connect(DataSource dataSource) {
        try {
            return dataSource.getConnection();
        } catch (SQLException | RuntimeException away) {
            throw JobDatabaseException.unreachable(away);
        }
    }

    private static Dialect detected(DatabaseMetaData database) throws SQLException {
        try {
            return Dialect.of(database);
        } catch (IllegalArgumentException unsupported) {
            throw JobDatabaseException.unsupported(unsupported);
        }
    }
}
