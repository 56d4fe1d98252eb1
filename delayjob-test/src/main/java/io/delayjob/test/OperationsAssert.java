package io.delayjob.test;

import io.delayjob.DelayJobOperations;
import java.util.List;
import org.assertj.core.api.AbstractAssert;

/** Assertions about the jobs that {@link DelayJobOperations} finds, by their handlers' names. */
public final class OperationsAssert extends AbstractAssert<OperationsAssert, DelayJobOperations> {

    private final FoundJobs jobs;

    OperationsAssert(DelayJobOperations actual) {
        super(actual, OperationsAssert.class);
        this.jobs = new FoundJobs(actual, null);
    }

    /** Checks that a job of that name is waiting, due or not. The following assertions apply to these jobs. */
    public JobsAssert hasDelayed(String name) {
        return jobs.delayed(List.of(name)).isPresent();
    }

    /** Checks that no job of that name is waiting. */
    public OperationsAssert hasNoDelayed(String name) {
        jobs.delayed(List.of(name)).isAbsent();
        return this;
    }

    /** Checks that a job of that name has failed for good. The following assertions apply to these jobs. */
    public JobsAssert hasFailed(String name) {
        return jobs.failed(List.of(name)).isPresent();
    }

    /** Checks that no job of that name has failed for good. */
    public OperationsAssert hasNoFailed(String name) {
        jobs.failed(List.of(name)).isAbsent();
        return this;
    }

    /** Checks that a job of that name has finished. The following assertions apply to these jobs. */
    public JobsAssert hasFinished(String name) {
        return jobs.finished(List.of(name)).isPresent();
    }

    /** Checks that a job of that name was cancelled, or expired. The following assertions apply to these jobs. */
    public JobsAssert hasCancelled(String name) {
        return jobs.cancelled(List.of(name)).isPresent();
    }
}
