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

/** Creates completions: the next state of a row after an attempt, and the lines for the attempt log. Thread-safe. */
public final class Completions {

    private final EngineClock clock;
    private final RandomGenerator random;
    private final AttemptLog mode;
    private final boolean keepFinished;
    private final Results results;

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
     * @param job the claimed job, with the run that the attempt has made
     * @param keepFor how long the handler wants to keep finished jobs; {@code null} for the general retention time
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
            // The schedule cannot compute the next run. Otherwise the job would stay RUNNING for ever.
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
     * An answer may end the job on an instance that does not have the handler. Such an instance reads the retention
     * time from the row. So the row must state this time while the job awaits an answer.
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
     * A late answer never lowers {@code inDoubt}. A handler that timed out may still be running, and lowers {@code
     * inDoubt} when it returns.
     *
     * @param job the job of the locked row, with the number and the planned time of the attempt's run
     * @param keepFor how long the handler wants to keep finished jobs; {@code null} for the retention time in the row
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
     * Only an instance with the handler may decide about another attempt. So the job becomes due now, and keeps the
     * mark {@code awaiting}.
     *
     * @param job the job of the locked row, with the number and the planned time of the attempt's run
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

    /** Tells whether other work of the job is under way. The outcome or answer of this work will be refused. */
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
