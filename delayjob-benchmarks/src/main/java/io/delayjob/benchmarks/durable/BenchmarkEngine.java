package io.delayjob.benchmarks.durable;

import io.delayjob.DelayJobEngine;
import io.delayjob.DelayJobOperations;
import io.delayjob.event.JobListener;
import io.delayjob.event.JobListeners;
import io.delayjob.handler.Handler;
import io.delayjob.handler.HandlerRegistry;
import io.delayjob.internal.agent.EngineThreads;
import io.delayjob.internal.engine.EngineRandom;
import io.delayjob.jdbc.JdbcJobStore;
import io.delayjob.jdbc.lease.JdbcLeases;
import io.delayjob.job.JobId;
import io.delayjob.job.JobPlan;
import io.delayjob.job.JobTask;
import io.delayjob.job.NewJob;
import io.delayjob.job.OnExisting;
import io.delayjob.job.Partition;
import io.delayjob.lease.LeaseProvider;
import io.delayjob.settings.EngineSettings;
import io.delayjob.status.EngineStatus;
import io.delayjob.store.DueSink;
import io.delayjob.time.StoreClock;
import java.time.Instant;
import java.util.Collections;
import java.util.List;
import java.util.function.IntFunction;
import java.util.random.RandomGenerator;
import java.util.stream.IntStream;
import javax.sql.DataSource;
import org.jspecify.annotations.Nullable;
import org.springframework.jdbc.support.JdbcTransactionManager;

/** The measured engine: the real engine, without Spring Boot. */
final class BenchmarkEngine implements AutoCloseable {

    private static final int INSERTED_AT_ONCE = 10_000;

    private final EngineSettings settings;
    private final RandomGenerator random = new EngineRandom();
    private final EngineThreads threads = new EngineThreads();
    private final JdbcJobStore store;
    private final StoreClock clock;
    private final DelayJobEngine engine;

    BenchmarkEngine(DataSource dataSource, EngineSettings settings, JobListener listener, List<Handler> handlers) {
        this.settings = settings;
        JdbcTransactionManager transactionManager = new JdbcTransactionManager(dataSource);
        store = JdbcJobStore.builder(dataSource, transactionManager).build();
        clock = new StoreClock(store::clockMicros);
        HandlerRegistry registry = new HandlerRegistry();
        handlers.forEach(registry::register);
        LeaseProvider leases =
                JdbcLeases.inDatabase(dataSource, transactionManager, store.platform(), settings.incarnation(), clock);
        engine = DelayJobEngine.builder(settings, store)
                .leases(leases)
                .handlers(registry)
                .codec(new NoPayloads())
                .clock(clock)
                .agents(threads)
                .workers(threads.workers())
                .random(random)
                .listeners(new JobListeners(List.of(listener)))
                .build();
    }

    /** Writes due jobs to the store. The engine does not know these jobs, and must find them in the store. */
    void writeDue(String name, int count) {
        writeDue(name, count, null);
    }

    void writeDue(String name, int count, @Nullable String extras) {
        write(
                JobTask.of(name).withExtras(extras),
                Collections.nCopies(count, clock.storeTime().minusSeconds(1)));
    }

    /**
     * Writes due jobs with keys. The leader of a partition decides about its keys, so a job's key selects the
     * partition.
     */
    void writeDue(String name, List<Keyed> jobs) {
        Instant due = clock.storeTime().minusSeconds(1);
        write(
                jobs.size(),
                i -> new NewJob(
                        JobId.create(clock.storeMillis(), random),
                        Partition.ofKey(
                                Handler.DEFAULT_QUEUE,
                                jobs.get(i).key(),
                                settings.queues().partitions()),
                        JobTask.of(name).withExtras(jobs.get(i).extras()),
                        JobPlan.once(due, due),
                        OnExisting.KEEP,
                        random.nextLong()));
    }

    /** @param extras text of the job's extras; {@code null} for no extras */
    record Keyed(String key, @Nullable String extras) {}

    /** Writes jobs without the engine. The leader of a partition reads these jobs when they are due soon. */
    void write(String name, List<Instant> due) {
        write(JobTask.of(name), due);
    }

    private void write(JobTask task, List<Instant> due) {
        write(due.size(), i -> job(task, i, due.get(i)));
    }

    private void write(int count, IntFunction<NewJob> job) {
        for (int written = 0; written < count; written += INSERTED_AT_ONCE) {
            List<NewJob> jobs = IntStream.range(written, Math.min(count, written + INSERTED_AT_ONCE))
                    .mapToObj(job)
                    .toList();
            store.submit(jobs, DueSink.NONE);
        }
    }

    private NewJob job(JobTask task, int number, Instant due) {
        return new NewJob(
                JobId.create(clock.storeMillis(), random),
                new Partition(Handler.DEFAULT_QUEUE, number % settings.queues().partitions()),
                task,
                JobPlan.once(due, due),
                OnExisting.KEEP,
                random.nextLong());
    }

    void start() {
        engine.start();
    }

    JdbcJobStore store() {
        return store;
    }

    Instant storeTime() {
        return clock.storeTime();
    }

    DelayJobOperations jobs() {
        return engine.operations();
    }

    EngineStatus status() {
        return engine.status();
    }

    @Override
    public void close() {
        engine.stop();
        threads.close();
        store.close();
    }
}
