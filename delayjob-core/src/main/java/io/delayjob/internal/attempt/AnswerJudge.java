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

/** Decides how an answer from outside ends an attempt. This class changes nothing. Thread-safe. */
public final class AnswerJudge {

    /**
     * Stands in for the handler of a job if this instance does not have that handler. The stand-in has no rules of its
     * own, so the job's rules apply, and then the defaults. If the rules of the real handler must judge a failure, only
     * an instance with this handler decides about the failure.
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
     * Returns the completion that must be written; {@code null} if the answer is not accepted.
     *
     * @param job an unfinished job, read from its locked row
     * @param answer the outcome of the attempt that the answer states
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

    /**
     * Tells whether only an instance with the handler may decide about this failure. A handler may forbid a second
     * attempt, by its retry policy or its delivery guarantee. If the job states its own retry policy, the job's policy
     * decides instead.
     */
    private static boolean isForHandler(Job job, JobOutcome.Failed failed) {
        return failed.retriable() && job.retry() == null && !job.cancelRequested();
    }

    /**
     * Returns a copy of the job at this run of its schedule. Returns {@code null} if this run is in the future, or if
     * the schedule has no such run. The row may still show an earlier run: if an attempt merges missed runs, the row
     * shows this only after the outcome was written.
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
