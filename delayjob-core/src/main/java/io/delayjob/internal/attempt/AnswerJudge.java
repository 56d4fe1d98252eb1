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

/** Decides how an answer from outside ends an attempt, and changes nothing. Thread-safe. */
public final class AnswerJudge {

    /** Stands in for a handler that this instance does not have. */
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
     * @param job an unfinished job, read from its locked row
     * @return {@code null} if the answer is not accepted
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
                : completions.ofAnswer(
                        made,
                        ticket,
                        rules.schedule(),
                        outcome,
                        rules.retry(),
                        rules.handler().keepFor());
    }

    /** A handler may forbid a second attempt. But if the job states its own retry policy, the job's policy decides. */
    private static boolean isForHandler(Job job, JobOutcome.Failed failed) {
        return failed.retriable() && job.retry() == null && !job.cancelRequested();
    }

    /**
     * Returns {@code null} if this run is in the future, or does not exist. If an attempt merges missed runs, its
     * answer belongs to a later run than the run in the row.
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
