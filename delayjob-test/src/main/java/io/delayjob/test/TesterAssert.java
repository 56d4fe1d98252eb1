package io.delayjob.test;

import io.delayjob.MethodReference;
import io.delayjob.MethodReferenceReader;
import io.delayjob.handler.Handler;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.Collectors;
import org.assertj.core.api.AbstractAssert;

/**
 * Assertions about the jobs of an engine under test. A method reference or a handler name selects the jobs. Some
 * assertions return a {@link JobsAssert}. Its methods check the jobs that were found. If no handler and no stored job
 * has the stated name, the assertion fails.
 */
public final class TesterAssert extends AbstractAssert<TesterAssert, DelayJobTester> {

    private final FoundJobs jobs;
    private final MethodReferenceReader references;

    TesterAssert(DelayJobTester actual) {
        super(actual, TesterAssert.class);
        this.jobs = new FoundJobs(actual.operations(), actual.now());
        this.references = new MethodReferenceReader(actual.handlers());
    }

    /** Checks that at least one job of this handler is waiting, whether it is due or not. */
    public <B> JobsAssert hasDelayed(MethodReference.NoPayload<B> handler) {
        return jobs.delayed(names(handler)).isPresent();
    }

    /** Checks that at least one job of this handler is waiting, whether it is due or not. */
    public <B, P> JobsAssert hasDelayed(MethodReference.OnePayload<B, P> handler) {
        return jobs.delayed(names(handler)).isPresent();
    }

    /** Checks that at least one job of this handler is waiting, whether it is due or not. */
    public <B, P, Q> JobsAssert hasDelayed(MethodReference.TwoPayloads<B, P, Q> handler) {
        return jobs.delayed(names(handler)).isPresent();
    }

    /** Checks that at least one job of this handler is waiting, whether it is due or not. */
    public <B, P, Q> JobsAssert hasDelayed(MethodReference.TwoPayloadsAndContext<B, P, Q> handler) {
        return jobs.delayed(names(handler)).isPresent();
    }

    /** Checks that at least one job with this handler name is waiting, whether it is due or not. */
    public JobsAssert hasDelayed(String handler) {
        return jobs.delayed(named(handler)).isPresent();
    }

    /** Checks that no job of this handler is waiting. */
    public <B> TesterAssert hasNoDelayed(MethodReference.NoPayload<B> handler) {
        jobs.delayed(names(handler)).isAbsent();
        return this;
    }

    /** Checks that no job of this handler is waiting. */
    public <B, P> TesterAssert hasNoDelayed(MethodReference.OnePayload<B, P> handler) {
        jobs.delayed(names(handler)).isAbsent();
        return this;
    }

    /** Checks that no job of this handler is waiting. */
    public <B, P, Q> TesterAssert hasNoDelayed(MethodReference.TwoPayloads<B, P, Q> handler) {
        jobs.delayed(names(handler)).isAbsent();
        return this;
    }

    /** Checks that no job of this handler is waiting. */
    public <B, P, Q> TesterAssert hasNoDelayed(MethodReference.TwoPayloadsAndContext<B, P, Q> handler) {
        jobs.delayed(names(handler)).isAbsent();
        return this;
    }

    /** Checks that no job with this handler name is waiting. */
    public TesterAssert hasNoDelayed(String handler) {
        jobs.delayed(named(handler)).isAbsent();
        return this;
    }

    /** Checks that at least one job of this handler has failed for good. */
    public <B> JobsAssert hasFailed(MethodReference.NoPayload<B> handler) {
        return jobs.failed(names(handler)).isPresent();
    }

    /** Checks that at least one job of this handler has failed for good. */
    public <B, P> JobsAssert hasFailed(MethodReference.OnePayload<B, P> handler) {
        return jobs.failed(names(handler)).isPresent();
    }

    /** Checks that at least one job of this handler has failed for good. */
    public <B, P, Q> JobsAssert hasFailed(MethodReference.TwoPayloads<B, P, Q> handler) {
        return jobs.failed(names(handler)).isPresent();
    }

    /** Checks that at least one job of this handler has failed for good. */
    public <B, P, Q> JobsAssert hasFailed(MethodReference.TwoPayloadsAndContext<B, P, Q> handler) {
        return jobs.failed(names(handler)).isPresent();
    }

    /** Checks that at least one job with this handler name has failed for good. */
    public JobsAssert hasFailed(String handler) {
        return jobs.failed(named(handler)).isPresent();
    }

    /** Checks that no job of this handler has failed for good. */
    public <B> TesterAssert hasNoFailed(MethodReference.NoPayload<B> handler) {
        jobs.failed(names(handler)).isAbsent();
        return this;
    }

    /** Checks that no job of this handler has failed for good. */
    public <B, P> TesterAssert hasNoFailed(MethodReference.OnePayload<B, P> handler) {
        jobs.failed(names(handler)).isAbsent();
        return this;
    }

    /** Checks that no job of this handler has failed for good. */
    public <B, P, Q> TesterAssert hasNoFailed(MethodReference.TwoPayloads<B, P, Q> handler) {
        jobs.failed(names(handler)).isAbsent();
        return this;
    }

    /** Checks that no job of this handler has failed for good. */
    public <B, P, Q> TesterAssert hasNoFailed(MethodReference.TwoPayloadsAndContext<B, P, Q> handler) {
        jobs.failed(names(handler)).isAbsent();
        return this;
    }

    /** Checks that no job with this handler name has failed for good. */
    public TesterAssert hasNoFailed(String handler) {
        jobs.failed(named(handler)).isAbsent();
        return this;
    }

    /** Checks that at least one job of this handler has finished. */
    public <B> JobsAssert hasFinished(MethodReference.NoPayload<B> handler) {
        return jobs.finished(names(handler)).isPresent();
    }

    /** Checks that at least one job of this handler has finished. */
    public <B, P> JobsAssert hasFinished(MethodReference.OnePayload<B, P> handler) {
        return jobs.finished(names(handler)).isPresent();
    }

    /** Checks that at least one job of this handler has finished. */
    public <B, P, Q> JobsAssert hasFinished(MethodReference.TwoPayloads<B, P, Q> handler) {
        return jobs.finished(names(handler)).isPresent();
    }

    /** Checks that at least one job of this handler has finished. */
    public <B, P, Q> JobsAssert hasFinished(MethodReference.TwoPayloadsAndContext<B, P, Q> handler) {
        return jobs.finished(names(handler)).isPresent();
    }

    /** Checks that at least one job with this handler name has finished. */
    public JobsAssert hasFinished(String handler) {
        return jobs.finished(named(handler)).isPresent();
    }

    /** Checks that at least one job of this handler was cancelled, or has expired. */
    public <B> JobsAssert hasCancelled(MethodReference.NoPayload<B> handler) {
        return jobs.cancelled(names(handler)).isPresent();
    }

    /** Checks that at least one job of this handler was cancelled, or has expired. */
    public <B, P> JobsAssert hasCancelled(MethodReference.OnePayload<B, P> handler) {
        return jobs.cancelled(names(handler)).isPresent();
    }

    /** Checks that at least one job of this handler was cancelled, or has expired. */
    public <B, P, Q> JobsAssert hasCancelled(MethodReference.TwoPayloads<B, P, Q> handler) {
        return jobs.cancelled(names(handler)).isPresent();
    }

    /** Checks that at least one job of this handler was cancelled, or has expired. */
    public <B, P, Q> JobsAssert hasCancelled(MethodReference.TwoPayloadsAndContext<B, P, Q> handler) {
        return jobs.cancelled(names(handler)).isPresent();
    }

    /** Checks that at least one job with this handler name was cancelled, or has expired. */
    public JobsAssert hasCancelled(String handler) {
        return jobs.cancelled(named(handler)).isPresent();
    }

    /**
     * Checks each call of {@code schedule} since the previous check. Every such call must have got a time. The time
     * comes from one of the methods {@code now}, {@code after}, {@code at} and {@code repeat}. If the job is given to a
     * {@link io.delayjob.JobGroup}, the group sets the time. The check ignores calls that ended with an exception.
     * {@code @AutoConfigureDelayJobTest} makes this check after each test method.
     */
    public TesterAssert hasNoAbandonedSpecs() {
        List<String> abandoned = actual.watch().takeUnended();
        if (!abandoned.isEmpty()) {
            failWithMessage(
                    "Expected each schedule(…) to get a time, but %d did nothing. End these calls with "
                            + ".now(), .after(…), .at(…) or .repeat(…). The calls are at%n  %s",
                    abandoned.size(), String.join(System.lineSeparator() + "  ", abandoned));
        }
        return this;
    }

    /** Jobs that were stored under a former name of the handler belong to the handler, too. */
    private List<String> names(MethodReference reference) {
        Handler handler = references.handlerOf(reference);
        List<String> names = new ArrayList<>(List.of(handler.name()));
        names.addAll(handler.formerNames());
        return names;
    }

    /**
     * An unknown name is probably a typing error. Without this check, {@code hasNoFailed} would always succeed for an
     * unknown name.
     */
    private List<String> named(String name) {
        if (actual.handlers().find(name) == null && !jobs.any(name)) {
            failWithMessage(
                    "Unknown handler '%s'. The handlers are %s.",
                    name,
                    actual.handlers().names().stream()
                            .map(known -> "'" + known + "'")
                            .collect(Collectors.joining(", ")));
        }
        return List.of(name);
    }
}
