package io.delayjob.internal.engine;

import io.delayjob.event.JobListeners;
import io.delayjob.handler.HandlerRegistry;
import io.delayjob.handler.PayloadCodec;
import io.delayjob.internal.attempt.AnswerJudge;
import io.delayjob.internal.attempt.AttemptDefaults;
import io.delayjob.internal.complete.Completions;
import io.delayjob.job.ChainStep;
import io.delayjob.lease.LeaseProvider;
import io.delayjob.settings.EngineSettings;
import io.delayjob.store.JobStore;
import io.delayjob.store.JobTransitions;
import io.delayjob.time.AgentRunner;
import io.delayjob.time.EngineClock;
import java.util.Objects;
import java.util.concurrent.Executor;
import java.util.random.RandomGenerator;

public record EngineParts(
        EngineSettings settings,
        JobStore store,
        LeaseProvider leases,
        HandlerRegistry handlers,
        PayloadCodec codec,
        JobListeners listeners,
        Surroundings surroundings) {

    /**
     * Contains the parts that could make two runs of the same test differ.
     *
     * @param random thread-safe
     */
    public record Surroundings(EngineClock clock, AgentRunner agents, Executor workers, RandomGenerator random) {}

    AttemptDefaults attemptDefaults() {
        return new AttemptDefaults(
                settings.attempts().retry(),
                settings.attempts().timeout(),
                settings.attempts().maxSnooze(),
                settings.attempts().unreadablePayloadAfter());
    }

    Completions completions() {
        return new Completions(
                clock(),
                random(),
                settings.attempts().log(),
                !settings.history().finished().isZero(),
                codec::encodeResult,
                this::withResult);
    }

    private ChainStep withResult(ChainStep step, Object result) {
        String argument = Objects.requireNonNull(step.resultName());
        return step.withPayload(codec.withArgument(step.payload(), argument, result));
    }

    public AnswerJudge answerJudge() {
        return new AnswerJudge(handlers, attemptDefaults(), completions(), clock());
    }

    public EngineClock clock() {
        return surroundings.clock;
    }

    JobTransitions transitions() {
        return new GroupedTransitions(store, store.placement());
    }

    public RandomGenerator random() {
        return surroundings.random;
    }
}
