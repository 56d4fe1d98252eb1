package io.delayjob.benchmarks.durable;

import io.delayjob.DelayJobEngine;
import io.delayjob.DelayJobOperations;
import io.delayjob.EngineRandom;
import io.delayjob.EngineSettings;
import io.delayjob.EngineThreads;
import io.delayjob.event.JobListener;
import io.delayjob.event.JobListeners;
import io.delayjob.handler.Handler;
import io.delayjob.handler.HandlerRegistry;
import io.delayjob.handler.PayloadCodec;
import io.delayjob.handler.PayloadParameter;
import io.delayjob.jdbc.JdbcJobStore;
import io.delayjob.jdbc.dialect.Dialect;
import io.delayjob.jdbc.dialect.SqlTemplate;
import io.delayjob.jdbc.lease.ShedLockLeaseProvider;
import io.delayjob.time.StoreClock;
import java.sql.Connection;
import java.sql.SQLException;
import java.util.List;
import java.util.Map;
import javax.sql.DataSource;
import org.jspecify.annotations.Nullable;
import org.springframework.jdbc.support.JdbcTransactionManager;

/** An engine with one handler, {@value #NOOP}, which takes nothing and does nothing. */
final class BenchEngine implements AutoCloseable {

    static final String NOOP = "noop";

    private final EngineThreads threads = new EngineThreads();
    private final JdbcJobStore store;
    private final DelayJobEngine engine;

    BenchEngine(DataSource dataSource, EngineSettings settings, JobListener listener) throws SQLException {
        JdbcTransactionManager transactions = new JdbcTransactionManager(dataSource);
        store = JdbcJobStore.builder(dataSource, transactions).build();
        StoreClock clock = new StoreClock(store::clockMicros);
        HandlerRegistry handlers = new HandlerRegistry();
        handlers.register(Handler.named(NOOP).calls((arguments, job) -> null));
        engine = new DelayJobEngine(
                settings,
                store,
                ShedLockLeaseProvider.inDatabase(
                        dataSource,
                        transactions,
                        dialect(dataSource),
                        new SqlTemplate(SqlTemplate.DEFAULT_PREFIX, null),
                        settings.incarnation(),
                        clock),
                handlers,
                new NoPayload(),
                clock,
                threads,
                threads.workers(),
                new EngineRandom(),
                new JobListeners(List.of(listener)));
    }

    private static Dialect dialect(DataSource dataSource) throws SQLException {
        try (Connection connection = dataSource.getConnection()) {
            return Dialect.of(connection.getMetaData());
        }
    }

    void start() {
        engine.start();
    }

    /** Whether it leads every partition of its queue. */
    boolean leads(int partitions) {
        return engine.status().led().size() >= partitions;
    }

    DelayJobOperations jobs() {
        return engine.operations();
    }

    @Override
    public void close() {
        engine.stop();
        threads.close();
        store.close();
    }

    private static final class NoPayload implements PayloadCodec {

        @Override
        public @Nullable String encode(List<PayloadParameter> parameters, List<? extends @Nullable Object> arguments) {
            return null;
        }

        @Override
        public @Nullable String encodeNamed(Map<String, ? extends @Nullable Object> arguments) {
            return null;
        }

        @Override
        public List<@Nullable Object> decode(List<PayloadParameter> parameters, @Nullable String payload) {
            return List.of();
        }
    }
}
