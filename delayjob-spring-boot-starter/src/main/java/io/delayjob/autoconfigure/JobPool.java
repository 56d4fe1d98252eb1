package io.delayjob.autoconfigure;

import java.util.OptionalInt;
import javax.sql.DataSource;
import org.springframework.beans.factory.ObjectProvider;
import org.springframework.boot.jdbc.metadata.CompositeDataSourcePoolMetadataProvider;
import org.springframework.boot.jdbc.metadata.DataSourcePoolMetadata;
import org.springframework.boot.jdbc.metadata.DataSourcePoolMetadataProvider;

/** The connection pool of the database with the job tables. */
final class JobPool {

    /**
     * Number of connections that delayjob itself uses. The heartbeat keeps one connection. Three kinds of work take one
     * connection each for a short time: claims, writes of outcomes, and reads. If more background roles need a
     * connection at the same time, they wait until another background role gives its connection back.
     */
    static final int OWN_CONNECTIONS = 4;

    /**
     * One connection is for the heartbeat, and one is for callers and the store's own statements. Atomic handlers never
     * get these connections.
     */
    static final int KEPT_FREE = 2;

    private final DataSource dataSource;
    private final DataSourcePoolMetadataProvider pools;

    JobPool(DataSource dataSource, ObjectProvider<DataSourcePoolMetadataProvider> pools) {
        this.dataSource = dataSource;
        this.pools = new CompositeDataSourcePoolMetadataProvider(
                pools.orderedStream().toList());
    }

    /**
     * Leaves some connections to callers, so that callers always find a free one. A pool that is too small for atomic
     * handlers is {@linkplain AtomicHandlersWarning refused}.
     */
    int mostForHandlers() {
        return Math.max(1, mostConnections().orElse(Integer.MAX_VALUE) - KEPT_FREE);
    }

    OptionalInt mostConnections() {
        DataSourcePoolMetadata pool = pools.getDataSourcePoolMetadata(dataSource);
        Integer most = pool == null ? null : pool.getMax();
        return most == null || most <= 0 ? OptionalInt.empty() : OptionalInt.of(most);
    }
}
