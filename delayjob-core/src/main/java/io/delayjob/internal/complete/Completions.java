package io.delayjob.internal.complete;

import io.delayjob.job.AnswerTicket;
import io.delayjob.job.AttemptRecord;
import io.delayjob.job.ChainStep;
import io.delayjob.job.Completion;
import io.delayjob.job.Failure;
import io.delayjob.job.Job;
import io.delayjob.job.JobExtras;
import io.delayjob.job.JobOutcome;
import io.delayjob.job.JobState;
import io.delayjob.job.Transition;
import io.delayjob.schedule.Misfire;
import io.delayjob.schedule.RetryPolicy;
import io.delayjob.schedule.Schedule;
import io.delayjob.settings.AttemptLog;
import io.delayjob.time.EngineClock;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.function.BiFunction;
import java.util.function.Function;
import java.util.random.RandomGenerator;
import org.jspecify.annotations.Nullable;

/**
 * Creates completions, which contain the row's next state after an attempt, and the lines for the attempt log.
 * Thread-safe.
 */
public final class Completions {

    private final EngineClock clock;
    private final RandomGenerator random;
    private final AttemptLog mode;
    private final boolean keepFinished;
    private final Results results;

    /**
     * @param keepFinished whether the history keeps a finished job if its handler states no retention time
     * @param results encodes the results of handlers
     * @param toArgument adds a result to the arguments of the next job of a chain
     */
    public Completions(
            EngineClock clock,
            RandomGenerator random,
            AttemptLog mode,
            boolean keepFinished,
            Function<Object, @Nullable String> results,
            BiFunction<ChainStep, Object, ChainStep> toArgument) {
        this.results = new Results(results, toArgument, clock);
        this.clock = clock;
        this.random = random;
        this.mode = mode;
        this.keepFinished = keepFinished;
    }

    /**
     * Returns the completion of an attempt that ends at present.
     *
     * @param job the claimed job, with the run that the attempt has made and the time at which the handler was called
     * @param keepFor how long the handler wants to keep finished jobs; {@code null} for the general time
     * @param merged the runs that this run replaced
     */
    public Completion of(
            Job job,
            @Nullable Schedule schedule,
            JobOutcome outcome,
            RetryPolicy policy,
            @Nullable Duration keepFor,
            Misfire.@Nullable Merged merged) {
        Instant now = clock.storeTime();
        Failure failure = failureOf(outcome);
        Transition next;
        try {
            next = Transition.after(job, schedule, outcome, policy, clock.latestStoreTime(), random);
        } catch (RuntimeException undecidable) {
            // The schedule cannot compute the next run. The job fails, because otherwise it would stay RUNNING for
            // ever.
            next = new Transition.Ended(JobState.FAILED);
            failure = Failure.of(undecidable);
        }
        Job kept = keepFor == null || !mayStateKeepFor(next) ? job : keptFor(job, keepFor);
        boolean keep = !isFinished(next) || isKeptAfterwards(kept);
        return new Completion(
                keep || hasStepsToCome(job) ? withResult(kept, outcome, next) : kept,
                outcome,
                next,
                random.nextLong(),
                now,
                isFinished(next) ? null : failure,
                keep,
                log(job, outcome, next, failure, merged, now));
    }

    /**
     * A row that awaits an answer states in advance how long the job is kept. The reason is that the answer may end the
     * job on an instance that does not know the handler.
     */
    private static boolean mayStateKeepFor(Transition next) {
        return isFinished(next) || next instanceof Transition.Again again && again.awaiting();
    }

    private static Job keptFor(Job job, Duration keepFor) {
        return job.with(job.task().withExtras(job.extras().withKeepFor(keepFor).toText()));
    }

    private boolean isKeptAfterwards(Job finished) {
        Duration keepFor = JobExtras.keepForOf(finished.task().extras());
        return keepFor == null ? keepFinished : !keepFor.isZero();
    }

    private static boolean hasStepsToCome(Job job) {
        return job.task().extras() != null && !job.extras().steps().isEmpty();
    }

    private Job withResult(Job job, JobOutcome outcome, Transition next) {
        Object result = outcome instanceof JobOutcome.Succeeded succeeded ? succeeded.result() : null;
        return result == null || !isFinished(next) ? job : results.keptWith(job, result);
    }

    /**
     * Returns the completion of an attempt that is ended by an answer from outside.
     *
     * <p>A late answer never lowers {@code inDoubt}, although the end of the attempt has raised it. The row does not
     * tell why the attempt ended: the answer may have come too late, or the handler may have timed out. A handler that
     * timed out may still be running, and lowers {@code inDoubt} when it returns. So the answer must not lower {@code
     * inDoubt} a second time.
     *
     * @param job the job of the locked row, but with the number and the planned time of the attempt's run; the row may
     *     still have those of an earlier run
     * @param keepFor how long the handler wants to keep finished jobs. If {@code null}, the time in the row applies. If
     *     the row has no time either, the general time applies
     */
    public Completion ofAnswer(
            Job job,
            AnswerTicket ticket,
            @Nullable Schedule schedule,
            JobOutcome outcome,
            RetryPolicy policy,
            @Nullable Duration keepFor) {
        return answered(job, ticket, of(job, schedule, outcome, policy, keepFor, null));
    }

    /**
     * Returns the completion for the answer "failed", if this instance does not have the handler. Only an instance with
     * the handler may decide whether another attempt follows. So the job becomes due now, and an instance with the
     * handler claims it. The job keeps the mark {@code awaiting}, although its answer has come.
     *
     * @param job the job of the locked row, but with the number and the planned time of the attempt's run; the row may
     *     still have those of an earlier run
     */
    public Completion ofAnswerLeftToHandler(Job job, AnswerTicket ticket, JobOutcome.Failed failed) {
        Completion due = of(job, null, new JobOutcome.Awaited(Duration.ZERO), RetryPolicy.none(), null, null);
        Instant now = due.endedAt();
        return answered(
                job,
                ticket,
                new Completion(
                        job,
                        failed,
                        due.next(),
                        due.freshToken(),
                        now,
                        failed.failure(),
                        due.keep(),
                        log(job, failed, due.next(), failed.failure(), null, now)));
    }

    private static Completion answered(Job job, AnswerTicket ticket, Completion end) {
        boolean cancelled = job.cancelRequested() && !isFinished(end.next());
        return new Completion(
                end.job(),
                end.outcome(),
                cancelled ? new Transition.Ended(JobState.CANCELLED) : end.next(),
                end.freshToken(),
                end.endedAt(),
                end.failure(),
                end.keep() || cancelled,
                end.log().stream().map(line -> answered(line, job, ticket)).toList(),
                (isAnotherUnderWay(job, ticket) ? 1 : 0) + (cancelled && end.awaits() ? 1 : 0));
    }

    /**
     * Tells whether work on the job is still under way after the answer. If a handler does this work, the store will
     * refuse the handler's outcome. If another system does this work, the other system's answer will be ignored.
     */
    private static boolean isAnotherUnderWay(Job job, AnswerTicket ticket) {
        return job.isUnderWay() && !(job.awaiting() && ticket.attempt() == job.attempt());
    }

    private static AttemptRecord answered(AttemptRecord line, Job job, AnswerTicket ticket) {
        return new AttemptRecord(
                line.job(),
                line.run(),
                ticket.attempt(),
                line.outcome(),
                0,
                null,
                ticket.attempt() == job.attempt() ? line.startedAt() : null,
                null,
                line.endedAt(),
                line.failure());
    }

    private static boolean isFinished(Transition next) {
        return next instanceof Transition.Ended ended && ended.state() == JobState.FINISHED;
    }

    private List<AttemptRecord> log(
            Job job,
            JobOutcome outcome,
            Transition next,
            @Nullable Failure failure,
            Misfire.@Nullable Merged merged,
            Instant now) {
        List<AttemptRecord> lines = new ArrayList<>(0);
        if (merged != null) {
            lines.add(unmade(job, "MERGED", merged.firstSkippedRun(), merged.lastSkippedRun(), now));
        }
        if (outcome instanceof JobOutcome.Skipped skipped) {
            Misfire.Skipped misfire = skipped.misfire();
            lines.add(unmade(job, outcome.label(), misfire.firstSkippedRun(), misfire.lastSkippedRun(), now));
            return lines;
        }
        boolean failed = failure != null;
        boolean runFailedForGood = failed && next instanceof Transition.Again again && again.run() != job.run();
        boolean isMust = runFailedForGood || outcome.leavesOutRun();
        if (isMust || mode == AttemptLog.ALL || (failed && mode == AttemptLog.FAILURES)) {
            lines.add(new AttemptRecord(
                    job.id(),
                    job.run(),
                    job.attempt(),
                    outcome.label(),
                    job.owner(),
                    job.dueAt(),
                    job.startedAt(),
                    job.calledAt(),
                    now,
                    failure));
        }
        return lines;
    }

    private static AttemptRecord unmade(Job job, String label, int firstRun, int lastRun, Instant now) {
        String runs = firstRun == lastRun ? "run " + firstRun : "runs %d to %d".formatted(firstRun, lastRun);
        Failure missed = Failure.of("Missed", runs + " became due while no instance could start them");
        return new AttemptRecord(job.id(), lastRun, 0, label, job.owner(), null, null, null, now, missed);
    }

    private static @Nullable Failure failureOf(JobOutcome outcome) {
        if (outcome instanceof JobOutcome.Failed failed) {
            return failed.failure();
        }
        if (outcome instanceof JobOutcome.Expired expired) {
            return expired.failure();
        }
        return outcome instanceof JobOutcome.TimedOut timedOut ? timedOut.failure() : null;
    }
}
