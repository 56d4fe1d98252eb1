package io.delayjob.autoconfigure;

import java.util.OptionalInt;
import javax.sql.DataSource;
import org.springframework.beans.factory.ObjectProvider;
import org.springframework.boot.jdbc.metadata.CompositeDataSourcePoolMetadataProvider;
import org.springframework.boot.jdbc.metadata.DataSourcePoolMetadata;
import org.springframework.boot.jdbc.metadata.DataSourcePoolMetadataProvider;

/** The connection pool of the job tables' database. */
final class JobPool {

    /**
     * Connections of the engine: one each for the heartbeat, for claims, for outcomes and for reads. Other background
     * roles wait for a free connection.
     */
    static final int OWN_CONNECTIONS = 4;

    /**
     * Connections that handlers must leave free: one for the heartbeat, and one for callers and the store's own
     * statements.
     */
    static final int KEPT_FREE = 2;

    private final DataSource dataSource;
    private final DataSourcePoolMetadataProvider pools;

    JobPool(DataSource dataSource, ObjectProvider<DataSourcePoolMetadataProvider> pools) {
        this.dataSource = dataSource;
        this.pools = new CompositeDataSourcePoolMetadataProvider(
                pools.orderedStream().toList());
    }

    /** A pool that is too small for atomic handlers is {@linkplain AtomicHandlersWarning refused}. */
    int mostForHandlers() {
        return Math.max(1, mostConnections().orElse(Integer.MAX_VALUE) - KEPT_FREE);
    }

    OptionalInt mostConnections() {
        DataSourcePoolMetadata pool = pools.getDataSourcePoolMetadata(dataSource);
        Integer most = pool == null ? null : pool.getMax();
        return most == null || most <= 0 ? OptionalInt.empty() : OptionalInt.of(most);
    }
}
