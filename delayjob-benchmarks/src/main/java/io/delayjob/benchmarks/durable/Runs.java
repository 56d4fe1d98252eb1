package io.delayjob.benchmarks.durable;

import java.time.Duration;
import java.time.Instant;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.LongAdder;

/** Records each start and each end of a job. Thread-safe. */
final class Runs implements Contender.Work {

    private final int expected;
    private final Duration handling;
    private final CountDownLatch left;
    private final LongAdder starts = new LongAdder();
    private final LongAdder early = new LongAdder();
    private final Latenesses latenesses;

    Runs(int expected, Duration handling) {
        this.expected = expected;
        this.handling = handling;
        this.left = new CountDownLatch(expected);
        this.latenesses = new Latenesses(expected / 2);
    }

    @Override
    public void run(Instant due) throws InterruptedException {
        Duration lateness = Duration.between(due, Instant.now());
        if (lateness.isNegative()) {
            early.increment();
        }
        latenesses.add(lateness);
        if (!handling.isZero()) {
            TimeUnit.NANOSECONDS.sleep(handling.toNanos());
        }
        starts.increment();
    }

    @Override
    public void ended() {
        left.countDown();
    }

    void awaitEnds(Duration patience) throws InterruptedException {
        if (!endWithin(patience)) {
            throw new IllegalStateException(
                    "%d of %d jobs have not ended durably within %s".formatted(left(), expected, patience));
        }
    }

    boolean endWithin(Duration patience) throws InterruptedException {
        return left.await(patience.toMillis(), TimeUnit.MILLISECONDS);
    }

    long left() {
        return left.getCount();
    }

    long repeated() {
        return starts.sum() - expected;
    }

    long early() {
        return early.sum();
    }

    Latenesses latenesses() {
        return latenesses;
    }
}
