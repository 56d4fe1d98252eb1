package io.delayjob.test;

import io.delayjob.MethodReference;
import io.delayjob.MethodReferenceReader;
import io.delayjob.handler.Handler;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.Collectors;
import org.assertj.core.api.AbstractAssert;

/**
 * Assertions about the jobs of an engine under test, by method references or by their handlers' names. A name that
 * neither a handler nor a stored job has fails whatever is asserted about it.
 */
public final class TesterAssert extends AbstractAssert<TesterAssert, DelayJobTester> {

    private final FoundJobs jobs;
    private final MethodReferenceReader references;

    TesterAssert(DelayJobTester actual) {
        super(actual, TesterAssert.class);
        this.jobs = new FoundJobs(actual.operations(), actual.now());
        this.references = new MethodReferenceReader(actual.handlers());
    }

    /** There is a job of this handler that waits, due or not; what follows narrows it down. */
    public <B> JobsAssert hasDelayed(MethodReference.NoPayload<B> handler) {
        return jobs.delayed(names(handler)).isPresent();
    }

    /** There is a job of this handler that waits, due or not; what follows narrows it down. */
    public <B, P> JobsAssert hasDelayed(MethodReference.OnePayload<B, P> handler) {
        return jobs.delayed(names(handler)).isPresent();
    }

    /** There is a job of this handler that waits, due or not; what follows narrows it down. */
    public <B, P, Q> JobsAssert hasDelayed(MethodReference.TwoPayloads<B, P, Q> handler) {
        return jobs.delayed(names(handler)).isPresent();
    }

    /** There is a job of this handler that waits, due or not; what follows narrows it down. */
    public <B, P, Q> JobsAssert hasDelayed(MethodReference.TwoPayloadsAndContext<B, P, Q> handler) {
        return jobs.delayed(names(handler)).isPresent();
    }

    /** There is a job of this handler name that waits, due or not; what follows narrows it down. */
    public JobsAssert hasDelayed(String handler) {
        return jobs.delayed(named(handler)).isPresent();
    }

    /** No job of this handler waits. */
    public <B> TesterAssert hasNoDelayed(MethodReference.NoPayload<B> handler) {
        jobs.delayed(names(handler)).isAbsent();
        return this;
    }

    /** No job of this handler waits. */
    public <B, P> TesterAssert hasNoDelayed(MethodReference.OnePayload<B, P> handler) {
        jobs.delayed(names(handler)).isAbsent();
        return this;
    }

    /** No job of this handler waits. */
    public <B, P, Q> TesterAssert hasNoDelayed(MethodReference.TwoPayloads<B, P, Q> handler) {
        jobs.delayed(names(handler)).isAbsent();
        return this;
    }

    /** No job of this handler waits. */
    public <B, P, Q> TesterAssert hasNoDelayed(MethodReference.TwoPayloadsAndContext<B, P, Q> handler) {
        jobs.delayed(names(handler)).isAbsent();
        return this;
    }

    /** No job of this handler name waits. */
    public TesterAssert hasNoDelayed(String handler) {
        jobs.delayed(named(handler)).isAbsent();
        return this;
    }

    /** There is a job of this handler that has failed for good; what follows narrows it down. */
    public <B> JobsAssert hasFailed(MethodReference.NoPayload<B> handler) {
        return jobs.failed(names(handler)).isPresent();
    }

    /** There is a job of this handler that has failed for good; what follows narrows it down. */
    public <B, P> JobsAssert hasFailed(MethodReference.OnePayload<B, P> handler) {
        return jobs.failed(names(handler)).isPresent();
    }

    /** There is a job of this handler that has failed for good; what follows narrows it down. */
    public <B, P, Q> JobsAssert hasFailed(MethodReference.TwoPayloads<B, P, Q> handler) {
        return jobs.failed(names(handler)).isPresent();
    }

    /** There is a job of this handler that has failed for good; what follows narrows it down. */
    public <B, P, Q> JobsAssert hasFailed(MethodReference.TwoPayloadsAndContext<B, P, Q> handler) {
        return jobs.failed(names(handler)).isPresent();
    }

    /** There is a job of this handler name that has failed for good; what follows narrows it down. */
    public JobsAssert hasFailed(String handler) {
        return jobs.failed(named(handler)).isPresent();
    }

    /** No job of this handler has failed for good. */
    public <B> TesterAssert hasNoFailed(MethodReference.NoPayload<B> handler) {
        jobs.failed(names(handler)).isAbsent();
        return this;
    }

    /** No job of this handler has failed for good. */
    public <B, P> TesterAssert hasNoFailed(MethodReference.OnePayload<B, P> handler) {
        jobs.failed(names(handler)).isAbsent();
        return this;
    }

    /** No job of this handler has failed for good. */
    public <B, P, Q> TesterAssert hasNoFailed(MethodReference.TwoPayloads<B, P, Q> handler) {
        jobs.failed(names(handler)).isAbsent();
        return this;
    }

    /** No job of this handler has failed for good. */
    public <B, P, Q> TesterAssert hasNoFailed(MethodReference.TwoPayloadsAndContext<B, P, Q> handler) {
        jobs.failed(names(handler)).isAbsent();
        return this;
    }

    /** No job of this handler name has failed for good. */
    public TesterAssert hasNoFailed(String handler) {
        jobs.failed(named(handler)).isAbsent();
        return this;
    }

    /** There is a job of this handler that has ended well; what follows narrows it down. */
    public <B> JobsAssert hasFinished(MethodReference.NoPayload<B> handler) {
        return jobs.finished(names(handler)).isPresent();
    }

    /** There is a job of this handler that has ended well; what follows narrows it down. */
    public <B, P> JobsAssert hasFinished(MethodReference.OnePayload<B, P> handler) {
        return jobs.finished(names(handler)).isPresent();
    }

    /** There is a job of this handler that has ended well; what follows narrows it down. */
    public <B, P, Q> JobsAssert hasFinished(MethodReference.TwoPayloads<B, P, Q> handler) {
        return jobs.finished(names(handler)).isPresent();
    }

    /** There is a job of this handler that has ended well; what follows narrows it down. */
    public <B, P, Q> JobsAssert hasFinished(MethodReference.TwoPayloadsAndContext<B, P, Q> handler) {
        return jobs.finished(names(handler)).isPresent();
    }

    /** There is a job of this handler name that has ended well; what follows narrows it down. */
    public JobsAssert hasFinished(String handler) {
        return jobs.finished(named(handler)).isPresent();
    }

    /**
     * Every call of {@code schedule(…)} since this was asserted last has gone on to {@code now}, {@code after}, {@code at}
     * or {@code repeat}, or was refused. {@code @AutoConfigureDelayJobTest} asserts it after each test method.
     */
    public TesterAssert hasNoAbandonedSpecs() {
        List<String> abandoned = actual.watch().takeUnended();
        if (!abandoned.isEmpty()) {
            failWithMessage(
                    "Expected each schedule(…) to say when, but %d did nothing: end them with .now(), .after(…), .at(…) or .repeat(…). They are at%n  %s",
                    abandoned.size(), String.join(System.lineSeparator() + "  ", abandoned));
        }
        return this;
    }

    /** Its present name and the former ones: jobs stored before a rename are its jobs as well. */
    private List<String> names(MethodReference reference) {
        Handler handler = references.handlerOf(reference);
        List<String> names = new ArrayList<>(List.of(handler.name()));
        names.addAll(handler.formerNames());
        return names;
    }

    /** A name that nothing bears is a slip of the pen, and what is denied of it would always hold. */
    private List<String> named(String name) {
        if (actual.handlers().find(name) == null && !jobs.any(name)) {
            failWithMessage(
                    "Unknown handler '%s'; the handlers are %s.",
                    name,
                    actual.handlers().names().stream()
                            .map(known -> "'" + known + "'")
                            .collect(Collectors.joining(", ")));
        }
        return List.of(name);
    }
}
