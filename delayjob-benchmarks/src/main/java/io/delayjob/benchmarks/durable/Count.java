package io.delayjob.benchmarks.durable;

import io.delayjob.event.JobListener;
import io.delayjob.job.Job;
import io.delayjob.job.JobOutcome;
import io.delayjob.job.Transition;
import java.time.Duration;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;

/** Counts ends, and remembers nothing of them. Thread-safe. */
final class Count implements JobListener {

    private final CountDownLatch expected;

    Count(int jobs) {
        this.expected = new CountDownLatch(jobs);
    }

    @Override
    public void completed(Job job, JobOutcome outcome, Transition next, Duration took) {
        expected.countDown();
    }

    void await() throws InterruptedException {
        if (!expected.await(30, TimeUnit.MINUTES)) {
            throw new IllegalStateException("%d jobs had not ended after 30 minutes".formatted(expected.getCount()));
        }
    }
}
