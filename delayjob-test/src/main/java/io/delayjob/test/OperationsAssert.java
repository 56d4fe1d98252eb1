package io.delayjob.test;

import io.delayjob.DelayJobOperations;
import java.util.List;
import org.assertj.core.api.AbstractAssert;

/**
 * Assertions about the jobs of any engine, by handler name. If a method returns a {@link JobsAssert}, the returned
 * object checks all jobs that were found.
 */
public final class OperationsAssert extends AbstractAssert<OperationsAssert, DelayJobOperations> {

    private final FoundJobs jobs;

    OperationsAssert(DelayJobOperations actual) {
        super(actual, OperationsAssert.class);
        this.jobs = new FoundJobs(actual, null);
    }

    /** Checks that at least one job of that name is waiting, whether it is due or not. */
    public JobsAssert hasDelayed(String name) {
        return jobs.delayed(List.of(name)).isPresent();
    }

    /** Checks that no job of that name is waiting. */
    public OperationsAssert hasNoDelayed(String name) {
        jobs.delayed(List.of(name)).isAbsent();
        return this;
    }

    /** Checks that at least one job of that name has failed for good. */
    public JobsAssert hasFailed(String name) {
        return jobs.failed(List.of(name)).isPresent();
    }

    /** Checks that no job of that name has failed for good. */
    public OperationsAssert hasNoFailed(String name) {
        jobs.failed(List.of(name)).isAbsent();
        return this;
    }

    /** Checks that at least one job of that name has finished. */
    public JobsAssert hasFinished(String name) {
        return jobs.finished(List.of(name)).isPresent();
    }

    /** Checks that at least one job of that name was cancelled, or has expired. */
    public JobsAssert hasCancelled(String name) {
        return jobs.cancelled(List.of(name)).isPresent();
    }
}
