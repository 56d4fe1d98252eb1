package io.delayjob.benchmarks.durable;

import io.delayjob.event.JobListener;
import io.delayjob.job.Job;
import io.delayjob.job.JobOutcome;
import io.delayjob.job.Transition;
import java.time.Duration;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.LongAdder;

/** Waits until a given number of jobs of one name have ended durably. */
final class Ends implements JobListener {

    private final String name;
    private final int expected;
    private final CountDownLatch left;
    private final LongAdder starts = new LongAdder();

    Ends(String name, int expected) {
        this.name = name;
        this.expected = expected;
        this.left = new CountDownLatch(expected);
    }

    @Override
    public void started(Job job, Duration lateness) {
        if (job.name().equals(name)) {
            starts.increment();
        }
    }

    @Override
    public void completed(Job job, JobOutcome outcome, Transition next, Duration took) {
        if (job.name().equals(name)) {
            left.countDown();
        }
    }

    long left() {
        return left.getCount();
    }

    /** The result should be 0 after all jobs have ended, because no job fails. */
    long repeated() {
        return starts.sum() - expected;
    }

    void await(Duration atMost) throws InterruptedException {
        if (!left.await(atMost.toNanos(), TimeUnit.NANOSECONDS)) {
            throw new IllegalStateException(
                    "%d jobs of '%s' have not ended within %s: the engine does not keep up, or has lost them."
                            .formatted(left.getCount(), name, atMost));
        }
    }
}
