package io.delayjob.proofs.chaos;

import io.delayjob.DelayJobEngine;
import io.delayjob.DelayJobOperations;
import io.delayjob.event.JobListeners;
import io.delayjob.handler.HandlerRegistry;
import io.delayjob.internal.agent.EngineThreads;
import io.delayjob.internal.engine.EngineRandom;
import io.delayjob.jdbc.JdbcJobStore;
import io.delayjob.jdbc.TestNumberCodec;
import io.delayjob.jdbc.dialect.Dialect;
import io.delayjob.jdbc.dialect.SqlTemplate;
import io.delayjob.jdbc.lease.JdbcLeases;
import io.delayjob.job.Partition;
import io.delayjob.settings.EngineSettings;
import io.delayjob.store.InstanceStore;
import io.delayjob.test.ForwardingStore;
import io.delayjob.time.EngineClock;
import io.delayjob.time.StoreClock;
import java.sql.Connection;
import java.sql.SQLException;
import java.util.List;
import java.util.Set;
import java.util.UUID;
import javax.sql.DataSource;
import org.springframework.jdbc.core.JdbcTemplate;
import org.springframework.jdbc.support.JdbcTransactionManager;
import org.springframework.transaction.PlatformTransactionManager;

/** The engine of a worker process: the real one, except for the rule that a {@link Mutant} breaks. */
final class WorkerEngine implements AutoCloseable {

    private final JdbcTransactionManager transactionManager;
    private final JdbcJobStore store;
    private final EngineThreads threads = new EngineThreads();
    private final DelayJobEngine engine;

    WorkerEngine(DataSource dataSource, WorkerOrders orders, Ledger ledger) {
        EngineSettings settings = orders.profile().of(orders.name() + "#" + UUID.randomUUID());
        Mutant mutant = orders.mutant();
        transactionManager = new JdbcTransactionManager(dataSource);
        store = JdbcJobStore.builder(dataSource, transactionManager)
                .statementTimeout(orders.profile().statementTimeout())
                .build();
        EngineClock clock = new StoreClock(store::clockMicros);
        HandlerRegistry registry = new HandlerRegistry();
        new Handlers(ledger, new JdbcTemplate(dataSource)).all().forEach(registry::register);
        InstanceStore register = new HeartbeatWatch(store.instances(), ledger);
        engine = DelayJobEngine.builder(settings, mutant.spoil(new ForwardingStore(store) {
                    @Override
                    public InstanceStore instances() {
                        return register;
                    }
                }))
                .leases(JdbcLeases.inDatabase(
                        dataSource,
                        transactionManager,
                        dialect(dataSource),
                        new SqlTemplate(SqlTemplate.DEFAULT_PREFIX, null),
                        mutant.leaseOwner(settings.incarnation()),
                        mutant.leaseClock(clock)))
                .handlers(registry)
                .codec(new TestNumberCodec())
                .clock(clock)
                .agents(threads)
                .workers(threads.workers())
                .random(new EngineRandom())
                .listeners(new JobListeners(List.of(new Reporter(ledger))))
                .build();
    }

    private static Dialect dialect(DataSource dataSource) {
        try (Connection connection = dataSource.getConnection()) {
            return Dialect.of(connection.getMetaData());
        } catch (SQLException error) {
            throw new IllegalStateException("The database does not answer.", error);
        }
    }

    void start() {
        engine.start();
    }

    DelayJobOperations jobs() {
        return engine.operations();
    }

    /** Returns the partitions whose leases it trusts. */
    Set<Partition> led() {
        return Set.copyOf(engine.status().led());
    }

    PlatformTransactionManager transactionManager() {
        return transactionManager;
    }

    /** Stops gracefully. */
    @Override
    public void close() {
        engine.stop();
        threads.close();
        store.close();
    }
}
