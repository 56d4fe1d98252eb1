package io.delayjob.benchmarks.durable;

import io.delayjob.job.JobState;
import io.delayjob.store.DueSpan;
import io.delayjob.store.JobOrder;
import io.delayjob.store.JobQuery;
import io.delayjob.store.JobStore;
import io.delayjob.store.StoreException;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Locale;
import java.util.Objects;
import java.util.concurrent.Executors;
import java.util.concurrent.ScheduledExecutorService;
import java.util.concurrent.ThreadLocalRandom;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.LongAdder;
import java.util.function.Supplier;

/**
 * People who keep the dashboard's "Jobs" page open. Of all pages, this page reads the store most often. At most two
 * viewers read at a time, because the endpoint allows no more.
 */
final class Viewers implements AutoCloseable {

    private static final int AT_A_TIME = 2;

    /** Number of rows of each table that the endpoint reads before it checks the time. */
    private static final int STEP = 2_500;

    private final JobStore store;
    private final Supplier<Instant> now;
    private final ScheduledExecutorService threads = Executors.newScheduledThreadPool(AT_A_TIME);
    private final Latenesses times = new Latenesses(0);
    private final LongAdder failed = new LongAdder();

    Viewers(BenchmarkEngine engine, int number) {
        this.store = engine.store();
        this.now = engine::storeTime;
        if (number == 0) {
            return;
        }
        // The endpoint makes these reads once for all viewers.
        every(Duration.ofSeconds(10), () -> store.counts(now.get()));
        every(Duration.ofSeconds(1), () -> store.instances().list());
        List<JobQuery> aroundNow = List.of(
                JobQuery.state(JobState.RUNNING).order(JobOrder.DUE).limit(8),
                JobQuery.state(JobState.READY).order(JobOrder.DUE).limit(8),
                JobQuery.state(JobState.DELAYED).order(JobOrder.DUE).limit(12),
                JobQuery.all().order(JobOrder.ENDED).limit(12));
        aroundNow.forEach(query -> {
            every(Duration.ofSeconds(2), () -> store.find(query.lookAt(STEP), now.get()));
            every(Duration.ofSeconds(2), store::paused);
        });
        for (int viewer = 0; viewer < number; viewer++) {
            every(Duration.ofSeconds(20), () -> store.due(new DueSpan(now.get(), Duration.ofMinutes(1), 60)));
        }
    }

    private void every(Duration interval, Supplier<?> read) {
        long first = ThreadLocalRandom.current().nextLong(interval.toMillis());
        threads.scheduleAtFixedRate(() -> measure(read), first, interval.toMillis(), TimeUnit.MILLISECONDS);
    }

    private void measure(Supplier<?> read) {
        long begin = System.nanoTime();
        try {
            Objects.requireNonNull(read.get());
        } catch (StoreException failure) {
            failed.increment();
        }
        times.add(Duration.ofNanos(System.nanoTime() - begin));
    }

    @Override
    public String toString() {
        Latenesses.Summary summary = times.summary();
        return String.format(
                Locale.ROOT,
                "%d reads in p50 %.1f ms, p99 %.1f ms, at most %.1f ms; %d failed",
                summary.count(),
                summary.p50().toNanos() / 1e6,
                summary.p99().toNanos() / 1e6,
                summary.latest().toNanos() / 1e6,
                failed.sum());
    }

    @Override
    public void close() {
        threads.shutdownNow();
    }
}
