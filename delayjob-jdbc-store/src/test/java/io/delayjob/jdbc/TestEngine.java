package io.delayjob.jdbc;

import io.delayjob.DelayJobEngine;
import io.delayjob.DelayJobOperations;
import io.delayjob.event.JobListener;
import io.delayjob.event.JobListeners;
import io.delayjob.handler.Handler;
import io.delayjob.handler.HandlerRegistry;
import io.delayjob.internal.agent.EngineThreads;
import io.delayjob.internal.engine.EngineRandom;
import io.delayjob.jdbc.lease.JdbcLeases;
import io.delayjob.settings.EngineSettings;
import io.delayjob.status.EngineStatus;
import io.delayjob.store.JobStore;
import io.delayjob.time.EngineClock;
import io.delayjob.time.StoreClock;
import java.util.List;
import java.util.function.Function;
import java.util.function.UnaryOperator;
import javax.sql.DataSource;
import org.springframework.jdbc.support.JdbcTransactionManager;
import org.springframework.transaction.PlatformTransactionManager;

/** An engine on a database, on real threads and real time, put together as an application without Spring Boot would. */
public final class TestEngine implements AutoCloseable {

    private final JdbcTransactionManager transactionManager;
    private final JdbcJobStore store;
    private final EngineThreads threads = new EngineThreads();
    private final DelayJobEngine engine;

    public TestEngine(DataSource dataSource, EngineSettings settings, JobListener listener, Handler... handlers) {
        this(
                dataSource,
                settings,
                UnaryOperator.identity(),
                store -> new StoreClock(store::clockMicros),
                listener,
                handlers);
    }

    /**
     * @param store what is special about the store
     * @param clockOf the engine's clock on its store
     */
    public TestEngine(
            DataSource dataSource,
            EngineSettings settings,
            UnaryOperator<JdbcJobStoreBuilder> store,
            Function<JobStore, EngineClock> clockOf,
            JobListener listener,
            Handler... handlers) {
        transactionManager = new JdbcTransactionManager(dataSource);
        this.store = store.apply(JdbcJobStore.builder(dataSource, transactionManager))
                .build();
        EngineClock clock = clockOf.apply(this.store);
        HandlerRegistry registry = new HandlerRegistry();
        List.of(handlers).forEach(registry::register);
        engine = DelayJobEngine.builder(settings, this.store)
                .leases(JdbcLeases.inDatabase(
                        dataSource, transactionManager, this.store.platform(), settings.incarnation(), clock))
                .handlers(registry)
                .codec(new TestNumberCodec())
                .clock(clock)
                .agents(threads)
                .workers(threads.workers())
                .random(new EngineRandom())
                .listeners(new JobListeners(List.of(listener)))
                .build();
    }

    public void start() {
        engine.start();
    }

    /** Ends what is under way. */
    public void stop() {
        engine.stop();
    }

    public DelayJobOperations jobs() {
        return engine.operations();
    }

    public EngineStatus status() {
        return engine.status();
    }

    public PlatformTransactionManager transactionManager() {
        return transactionManager;
    }

    @Override
    public void close() {
        engine.stop();
        threads.close();
        store.close();
    }
}
