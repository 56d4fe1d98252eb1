package io.delayjob.internal.attempt;

import io.delayjob.internal.complete.Completer;
import io.delayjob.internal.complete.Completions;
import io.delayjob.internal.complete.EndedAttempt;
import io.delayjob.job.Completion;
import io.delayjob.job.Failure;
import io.delayjob.job.Job;
import io.delayjob.job.JobId;
import io.delayjob.job.JobLog;
import io.delayjob.job.JobOutcome;
import io.delayjob.schedule.Misfire;
import io.delayjob.store.CompletionResult;
import io.delayjob.time.EngineClock;
import java.time.Duration;
import java.time.Instant;
import org.jspecify.annotations.Nullable;

/** Passes the outcomes of attempts to the {@link Completer}. Thread-safe. */
public final class Recorder {

    private static final long NANOS_PER_MILLI = 1_000_000;

    private final Completions completions;
    private final Completer completer;
    private final EngineClock clock;

    public Recorder(Completions completions, Completer completer, EngineClock clock) {
        this.completions = completions;
        this.completer = completer;
        this.clock = clock;
    }

    void foregone(Verdict.Foregone verdict) {
        completer.add(ended(verdict.job(), verdict.rules(), verdict.outcome(), verdict.merged(), Duration.ZERO));
    }

    void ended(Attempt attempt, JobOutcome outcome) {
        EndedAttempt end;
        try {
            end = end(attempt, attempt.rules().bounded(outcome, attempt.job(), clock.storeTime()));
        } catch (Throwable broken) {
            Failure failure = Failure.of("NotRecorded", "the end of the attempt could not be recorded: " + broken);
            end = end(attempt, new JobOutcome.Failed(failure, attempt.rules().mayRetryLost()));
        }
        completer.add(end);
    }

    void writtenOff(Attempt attempt, JobOutcome.TimedOut outcome) {
        completer.add(end(attempt, outcome));
    }

    void endedLate(JobId job) {
        completer.addLateEnd(job);
    }

    void decided(Attempt attempt, Completion end, CompletionResult result) {
        completer.addDecided(new EndedAttempt(end, took(attempt)), result, attempt.startedNanos);
    }

    /**
     * If the transaction has committed, the parameter {@code committed} applies. Otherwise, the parameter {@code
     * outcome} applies.
     */
    void doubtful(Attempt attempt, JobOutcome outcome, Completion committed) {
        completer.addDoubtful(end(attempt, outcome), committed, attempt.startedNanos);
    }

    Completion decide(Attempt attempt, JobOutcome outcome) {
        return end(attempt, outcome).completion();
    }

    Duration took(Attempt attempt) {
        return Duration.ofNanos(clock.nanoTime() - attempt.startedNanos);
    }

    private EndedAttempt end(Attempt attempt, JobOutcome outcome) {
        return ended(called(attempt), attempt.rules(), outcome, attempt.merged(), took(attempt));
    }

    /**
     * The time of the call is the due time plus the lateness on the monotonic clock. So the time of the call is never
     * before the due time, even if the store's clock was changed.
     */
    private Job called(Attempt attempt) {
        Job job = attempt.job();
        long due = job.dueAt().toEpochMilli();
        long late = Math.floorDiv(attempt.startedNanos - clock.nanoTimeAt(due), NANOS_PER_MILLI);
        Job called = job.called(Instant.ofEpochMilli(due + late));
        JobLog log = attempt.log();
        return log == null
                ? called
                : called.with(
                        called.task().withExtras(called.extras().withLog(log).toText()));
    }

    private EndedAttempt ended(
            Job job, AttemptRules rules, JobOutcome outcome, Misfire.@Nullable Merged merged, Duration took) {
        Duration keepFor = rules.handler().keepFor();
        return new EndedAttempt(completions.of(job, rules.schedule(), outcome, rules.retry(), keepFor, merged), took);
    }
}
