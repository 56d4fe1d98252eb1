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
     * What delayjob wants for itself: the heartbeat keeps one, and claims, ends of attempts and reads take one each for
     * a moment. More of its roles may ask at the same time; they wait for each other then, and for nobody else.
     */
    static final int OWN_CONNECTIONS = 4;

    /**
     * Connections that atomic handlers never get: the heartbeat's, and one for callers and the store's own statements.
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
     * Maximum number of connections that atomic handlers hold at a time, so that callers always find one. With such
     * handlers, a pool that is too small for that is {@linkplain AtomicHandlersWarning refused}.
     */
    int mostForHandlers() {
        return Math.max(1, mostConnections().orElse(Integer.MAX_VALUE) - KEPT_FREE);
    }

    /** How many connections it has at the most; empty when nobody can tell, or when there is no limit. */
    OptionalInt mostConnections() {
        DataSourcePoolMetadata pool = pools.getDataSourcePoolMetadata(dataSource);
        Integer most = pool == null ? null : pool.getMax();
        return most == null || most <= 0 ? OptionalInt.empty() : OptionalInt.of(most);
    }
}
