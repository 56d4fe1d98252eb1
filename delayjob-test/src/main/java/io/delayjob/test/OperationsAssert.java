package io.delayjob.test;

import io.delayjob.DelayJobOperations;
import java.util.List;
import org.assertj.core.api.AbstractAssert;

/** Assertions about the jobs that {@link DelayJobOperations} find, by their handlers' names. */
public final class OperationsAssert extends AbstractAssert<OperationsAssert, DelayJobOperations> {

    private final FoundJobs jobs;

    OperationsAssert(DelayJobOperations actual) {
        super(actual, OperationsAssert.class);
        this.jobs = new FoundJobs(actual, null);
    }

    /** There is a job of that name that waits, due or not; what follows narrows it down. */
    public JobsAssert hasDelayed(String name) {
        return jobs.delayed(List.of(name)).isPresent();
    }

    /** No job of that name waits. */
    public OperationsAssert hasNoDelayed(String name) {
        jobs.delayed(List.of(name)).isAbsent();
        return this;
    }

    /** There is a job of that name that has failed for good; what follows narrows it down. */
    public JobsAssert hasFailed(String name) {
        return jobs.failed(List.of(name)).isPresent();
    }

    /** No job of that name has failed for good. */
    public OperationsAssert hasNoFailed(String name) {
        jobs.failed(List.of(name)).isAbsent();
        return this;
    }

    /** There is a job of that name that has ended well; what follows narrows it down. */
    public JobsAssert hasFinished(String name) {
        return jobs.finished(List.of(name)).isPresent();
    }
}
