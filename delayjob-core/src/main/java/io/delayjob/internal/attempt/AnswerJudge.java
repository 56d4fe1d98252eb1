package io.delayjob.internal.attempt;

import io.delayjob.handler.Handler;
import io.delayjob.handler.HandlerRegistry;
import io.delayjob.internal.complete.Completions;
import io.delayjob.job.AnswerTicket;
import io.delayjob.job.Completion;
import io.delayjob.job.Job;
import io.delayjob.job.JobOutcome;
import io.delayjob.schedule.Schedule;
import io.delayjob.time.EngineClock;
import java.time.Instant;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/** Decides which end an answer from outside gives to an attempt. It changes nothing. Thread-safe. */
public final class AnswerJudge {

    /**
     * Stands for a handler that is not known here. The rules of the job, and then the defaults, apply, except that a
     * failure is left to an instance that knows the handler.
     */
    private static final Handler ELSEWHERE = Handler.named("elsewhere").calls((arguments, context) -> {
        throw new IllegalStateException("Another instance has the handler.");
    });

    private final HandlerRegistry handlers;
    private final AttemptDefaults defaults;
    private final Completions completions;
    private final EngineClock clock;

    public AnswerJudge(HandlerRegistry handlers, AttemptDefaults defaults, Completions completions, EngineClock clock) {
        this.handlers = handlers;
        this.defaults = defaults;
        this.completions = completions;
        this.clock = clock;
    }

    /**
     * Returns the end to write; {@code null} if the answer does not count.
     *
     * @param job an unfinished job, read from its locked row
     * @param answer the outcome that the answer gives
     */
    public @Nullable Completion end(Job job, AnswerTicket ticket, JobOutcome answer) {
        if (!ticket.fits(job, answer)) {
            return null;
        }
        Handler handler = handlers.find(job.name());
        AttemptRules rules = AttemptRules.of(job, handler == null ? ELSEWHERE : handler, defaults);
        Job made = atRun(job, ticket.run(), rules.schedule());
        if (made == null) {
            return null;
        }
        JobOutcome outcome = rules.answered(answer, made, clock.storeTime());
        return handler == null && outcome instanceof JobOutcome.Failed failed && isForHandler(job, failed)
                ? completions.ofAnswerLeftToHandler(made, ticket, failed)
                : completions.ofAnswer(made, ticket, rules.schedule(), outcome, rules.retry());
    }

    /** A handler may forbid a second attempt, unless the job itself states that it is retried. */
    private static boolean isForHandler(Job job, JobOutcome.Failed failed) {
        return failed.retriable() && job.retry() == null && !job.cancelRequested();
    }

    /**
     * Returns the job at the run that the attempt made. This run is later than the row's if the attempt replaced missed
     * runs and has not been written yet. {@code null} if that run has not come.
     */
    private @Nullable Job atRun(Job job, int run, @Nullable Schedule schedule) {
        Job made = job;
        Instant now = clock.latestStoreTime();
        while (made.run() < run) {
            Optional<Instant> planned = schedule == null
                    ? Optional.empty()
                    : schedule.next(made.scheduledAt(), made.run(), made.plannedAt());
            if (planned.isEmpty() || planned.get().isAfter(now)) {
                return null;
            }
            made = made.atRun(made.run() + 1, planned.get());
        }
        return made;
    }
}
