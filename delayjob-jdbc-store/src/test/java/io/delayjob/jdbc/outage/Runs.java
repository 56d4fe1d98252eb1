package io.delayjob.jdbc.outage;

import static org.assertj.core.api.Assertions.assertThat;

import io.delayjob.event.JobListener;
import io.delayjob.job.Job;
import io.delayjob.job.JobOutcome;
import io.delayjob.job.Transition;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import java.util.function.BooleanSupplier;
import java.util.function.Predicate;
import java.util.stream.LongStream;

/** What handlers and the engine did, and when. Thread-safe. */
final class Runs implements JobListener {

    /** Longer than any outage here, on a machine that is busy with other things. */
    static final Duration PATIENCE = Duration.ofSeconds(60);

    /** One call of the handler: for which job, and when by monotonic time. */
    record Start(long number, long nanos) {}

    private final List<Start> starts = new ArrayList<>();
    private final List<Duration> latenesses = new ArrayList<>();
    private final List<Long> ends = new ArrayList<>();
    private final Set<String> reads = new HashSet<>();
    private int fenced;

    synchronized void called(long number) {
        starts.add(new Start(number, System.nanoTime()));
        notifyAll();
    }

    @Override
    public synchronized void started(Job job, Duration lateness) {
        latenesses.add(lateness);
    }

    @Override
    public synchronized void completed(Job job, JobOutcome outcome, Transition next, Duration took) {
        ends.add(Long.valueOf(String.valueOf(job.payload())));
        notifyAll();
    }

    @Override
    public synchronized void fenced(Job job) {
        fenced++;
    }

    @Override
    public synchronized void preloaded(String read, int rows, Duration took) {
        reads.add(read);
        notifyAll();
    }

    synchronized List<Start> starts() {
        return List.copyOf(starts);
    }

    /** How late jobs started by store time, the latest last. */
    synchronized List<Duration> latenesses() {
        return latenesses.stream().sorted().toList();
    }

    synchronized int fencedCount() {
        return fenced;
    }

    /** Waits for the first call of a handler after that moment. @return how long after it that was */
    synchronized Duration firstAfter(long nanos) throws InterruptedException {
        Predicate<Start> later = start -> start.nanos() - nanos > 0;
        await("a start", () -> starts.stream().anyMatch(later));
        Start first = starts.stream().filter(later).findFirst().orElseThrow();
        return Duration.ofNanos(first.nanos() - nanos);
    }

    void awaitStarts(int count) throws InterruptedException {
        await(count + " starts", () -> starts.size() >= count);
    }

    /** Waits until so many ends of attempts are durable. */
    void awaitEnds(int count) throws InterruptedException {
        await(count + " ends", () -> ends.size() >= count);
    }

    /** Waits until rows were read that way once more. */
    void awaitRead(String read) throws InterruptedException {
        synchronized (this) {
            reads.remove(read);
        }
        await("a " + read, () -> reads.contains(read));
    }

    /** Each of the jobs numbered from 0 has started, all have ended, and no more than so many have started twice. */
    void assertEachOf(int count, int atMostTwice) throws InterruptedException {
        await("each of " + count + " jobs to end", () -> new HashSet<>(ends).size() >= count);
        List<Long> started = starts().stream().map(Start::number).toList();
        assertThat(started).containsAll(LongStream.range(0, count).boxed().toList());
        assertThat(started.size() - count).as("repeated").isBetween(0, atMostTwice);
        assertThat(latenesses().get(0)).as("the least late").isGreaterThanOrEqualTo(Duration.ZERO);
    }

    private synchronized void await(String what, BooleanSupplier condition) throws InterruptedException {
        long deadline = System.nanoTime() + PATIENCE.toNanos();
        while (!condition.getAsBoolean()) {
            long left = deadline - System.nanoTime();
            if (left <= 0) {
                throw new AssertionError("Waited %s for %s; there were %d starts and %d ends"
                        .formatted(PATIENCE, what, starts.size(), ends.size()));
            }
            wait(left / 1_000_000 + 1);
        }
    }
}
