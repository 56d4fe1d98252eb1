package io.delayjob.benchmarks.durable;

import io.delayjob.event.JobListener;
import io.delayjob.job.Job;
import io.delayjob.job.JobId;
import io.delayjob.job.JobOutcome;
import io.delayjob.job.Transition;
import java.time.Duration;
import java.util.Arrays;
import java.util.Queue;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicLong;

/** Gathers how late attempts start, and notices those that start twice. Thread-safe. */
final class Lateness implements JobListener {

    private final Queue<Long> nanos = new ConcurrentLinkedQueue<>();
    private final Set<JobId> started = ConcurrentHashMap.newKeySet();
    private final AtomicLong duplicates = new AtomicLong();
    private final CountDownLatch expected;

    Lateness(int jobs) {
        this.expected = new CountDownLatch(jobs);
    }

    @Override
    public void started(Job job, Duration lateness) {
        nanos.add(lateness.toNanos());
        if (!started.add(job.id())) {
            duplicates.incrementAndGet();
        }
    }

    @Override
    public void completed(Job job, JobOutcome outcome, Transition next, Duration took) {
        expected.countDown();
    }

    /** Waits until the ends of all jobs are durable. */
    void await(Duration atMost) throws InterruptedException {
        if (!expected.await(atMost.toMillis(), TimeUnit.MILLISECONDS)) {
            throw new IllegalStateException("%d jobs had not ended after %s".formatted(expected.getCount(), atMost));
        }
    }

    Summary summary() {
        long[] sorted = nanos.stream().mapToLong(Long::longValue).sorted().toArray();
        return new Summary(sorted, duplicates.get());
    }

    /**
     * What was gathered.
     *
     * @param sortedNanos lateness of each start, ascending
     * @param duplicates starts of jobs that had started before
     */
    record Summary(long[] sortedNanos, long duplicates) {

        double millis(double quantile) {
            int index = (int) Math.min(sortedNanos.length - 1, Math.floor(quantile * sortedNanos.length));
            return sortedNanos[index] / 1e6;
        }

        long early() {
            return Arrays.stream(sortedNanos).filter(late -> late < 0).count();
        }

        @Override
        public String toString() {
            return "%d starts, lateness p50 %.2f ms, p99 %.2f ms, p99.9 %.2f ms, max %.2f ms, min %.3f ms; early %d, twice %d"
                    .formatted(
                            sortedNanos.length,
                            millis(0.5),
                            millis(0.99),
                            millis(0.999),
                            millis(1),
                            millis(0),
                            early(),
                            duplicates);
        }
    }
}
