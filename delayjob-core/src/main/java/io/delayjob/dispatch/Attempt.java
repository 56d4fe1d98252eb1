package io.delayjob.dispatch;

import io.delayjob.handler.JobContext;
import io.delayjob.handler.Next;
import io.delayjob.job.Failure;
import io.delayjob.job.Job;
import io.delayjob.job.JobId;
import io.delayjob.job.JobOutcome;
import io.delayjob.schedule.Misfire;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.concurrent.CompletionException;
import java.util.concurrent.CompletionStage;
import org.jspecify.annotations.Nullable;

/**
 * One start of a handler for a job. It ends exactly once: by itself, or, when it kept neither its time-out nor the grace
 * after its interruption, by being written off; what it does afterwards is only noted.
 *
 * <p>Thread-safe: the worker runs it, the time-out watch interrupts it, a completion stage may end it on any thread.
 */
final class Attempt implements JobContext {

    /** Told how an attempt ends, once each at the most. */
    interface Ends {

        /** It ended by itself; {@code writtenOff}: after it had been written off. */
        void ended(Attempt attempt, JobOutcome outcome, boolean writtenOff);

        /** It was interrupted because the instance stops, and ended by that: it does not count. */
        void recalled(Attempt attempt);

        /** It has left its slot, some time after {@link Attempt#call} had returned {@code false}. */
        void leftLater(Attempt attempt);

        /** It is written off: it may still be under way. */
        void writtenOff(Attempt attempt, JobOutcome.TimedOut outcome);
    }

    private enum Phase {
        RUNNING,
        WRITTEN_OFF,
        ENDED
    }

    private final Job job;
    private final Plan plan;
    private final Misfire.@Nullable Merged merged;
    private final long startedNanos;
    private final long deadlineNanos;
    private final Ends ends;

    private Phase phase = Phase.RUNNING;
    private @Nullable Thread thread;
    private volatile boolean interrupted;
    private volatile boolean timedOut;
    private volatile boolean recalled;

    Attempt(Job job, Plan plan, Misfire.@Nullable Merged merged, long startedNanos, Ends ends) {
        this.job = job;
        this.plan = plan;
        this.merged = merged;
        this.startedNanos = startedNanos;
        this.ends = ends;
        Duration timeout = plan.timeout();
        this.deadlineNanos = timeout == null ? Long.MAX_VALUE : startedNanos + timeout.toNanos();
    }

    /**
     * Calls the handler.
     *
     * @return whether the attempt has ended; {@code false}: it ends when the handler's stage completes
     */
    boolean call(List<@Nullable Object> arguments) {
        Object result;
        occupy(Thread.currentThread());
        try {
            result = plan.handler().body().handle(arguments, this);
        } catch (Throwable thrown) {
            vacate();
            fail(thrown);
            return true;
        }
        vacate();
        if (result instanceof CompletionStage<?> stage) {
            stage.whenComplete((value, thrown) -> {
                if (thrown == null) {
                    end(succeeded(value));
                } else {
                    fail(unwrapped(thrown));
                }
                ends.leftLater(this);
            });
            return false;
        }
        end(succeeded(result));
        return true;
    }

    private static JobOutcome succeeded(@Nullable Object result) {
        return result instanceof Next next ? next.outcome() : Next.asPlanned().outcome();
    }

    private void fail(Throwable thrown) {
        if (!recalled) {
            end(failed(thrown));
        } else if (enter(Phase.ENDED) == Phase.RUNNING) {
            ends.recalled(this);
        }
    }

    private JobOutcome failed(Throwable thrown) {
        Failure failure = timedOut
                ? Failure.of("TimedOut", "interrupted after its time-out of " + plan.timeout() + ": " + thrown)
                : Failure.of(thrown);
        return new JobOutcome.Failed(failure, plan.mayRetry(thrown));
    }

    private static Throwable unwrapped(Throwable thrown) {
        boolean wrapper = thrown instanceof CompletionException;
        Throwable cause = thrown.getCause();
        return wrapper && cause != null ? cause : thrown;
    }

    private synchronized void occupy(Thread worker) {
        thread = worker;
    }

    /** The worker goes on to other jobs: an interruption meant for this attempt must not reach them. */
    private synchronized void vacate() {
        thread = null;
        boolean swallowed = Thread.interrupted();
        interrupted |= swallowed;
    }

    private synchronized void interrupt() {
        if (!interrupted) {
            interrupted = true;
            if (thread != null) {
                thread.interrupt();
            }
        }
    }

    /** Asks the handler to come to its end, for the reason that the instance stops. */
    void recall() {
        recalled = true;
        interrupt();
    }

    /** Asks the handler to come to its end, for the reason that its time is up. */
    void timeOut() {
        timedOut = true;
        interrupt();
    }

    private void end(JobOutcome outcome) {
        ends.ended(this, outcome, enter(Phase.ENDED) == Phase.WRITTEN_OFF);
    }

    /** Gives it up for lost, unless it has ended: nobody waits for it any more. */
    void writeOff() {
        if (enter(Phase.WRITTEN_OFF) != Phase.RUNNING) {
            return;
        }
        Failure failure = Failure.of(
                "TimedOut",
                "did not end within its time-out of %s, nor soon after its interruption; it may still be under way"
                        .formatted(plan.timeout()));
        ends.writtenOff(this, new JobOutcome.TimedOut(failure, plan.mayRetryLost()));
    }

    /** Enters a phase, unless a later one was entered; answers the one before. */
    private synchronized Phase enter(Phase next) {
        Phase before = phase;
        if (next.compareTo(before) > 0) {
            phase = next;
        }
        return before;
    }

    Job job() {
        return job;
    }

    Plan plan() {
        return plan;
    }

    Misfire.@Nullable Merged merged() {
        return merged;
    }

    /** Monotonic time of its time-out; {@link Long#MAX_VALUE} when it has none. */
    long deadlineNanos() {
        return deadlineNanos;
    }

    long startedNanos() {
        return startedNanos;
    }

    @Override
    public JobId id() {
        return job.id();
    }

    @Override
    public String name() {
        return job.name();
    }

    @Override
    public @Nullable String key() {
        return job.key();
    }

    @Override
    public int run() {
        return job.run();
    }

    @Override
    public int attempt() {
        return job.attempt();
    }

    @Override
    public int failures() {
        return job.failures();
    }

    @Override
    public Instant plannedAt() {
        return job.plannedAt();
    }

    @Override
    public Instant dueAt() {
        return job.dueAt();
    }

    @Override
    public boolean isInterrupted() {
        return interrupted;
    }
}
