package io.delayjob.internal.dispatch;

import io.delayjob.handler.Next;
import io.delayjob.job.Failure;
import io.delayjob.job.Job;
import io.delayjob.job.JobOutcome;
import io.delayjob.schedule.Misfire;
import java.util.concurrent.CompletionException;
import java.util.concurrent.CompletionStage;
import org.jspecify.annotations.Nullable;

/**
 * One start of a handler for a job. It ends exactly once: by itself, or, when it kept neither its time-out nor the
 * grace after its interruption, by being written off; what it does afterwards is only noted.
 *
 * <p>Thread-safe: the worker runs it, the time-out watch interrupts it, a completion stage may end it on any thread.
 */
final class Attempt {

    /** Told how an attempt ends, once each at most. */
    interface Ends {

        /** It ended by itself. */
        void ended(Attempt attempt, JobOutcome outcome);

        /** It ended by itself, after it had been written off. */
        void endedLate(Attempt attempt);

        /** The stop of the instance ended it, and it may be repeated: it does not count. */
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

    final Ticket ticket;
    private final Verdict.Call call;
    private final Ends ends;
    final long startedNanos;

    /** Monotonic time of its time-out; {@link Long#MAX_VALUE} if it has none. */
    final long deadlineNanos;

    private Phase phase = Phase.RUNNING;
    private boolean left;
    private @Nullable Thread thread;
    private volatile boolean interrupted;
    private volatile boolean timedOut;
    private volatile boolean recalled;
    private volatile boolean cancelRequested;

    Attempt(Ticket ticket, Verdict.Call call, long startedNanos, Ends ends) {
        this.ticket = ticket;
        this.call = call;
        this.startedNanos = startedNanos;
        this.deadlineNanos = call.rules().deadlineNanos(startedNanos);
        this.ends = ends;
    }

    /**
     * Calls the handler.
     *
     * @return whether the attempt has ended; {@code false}: it ends when the handler's stage completes
     */
    boolean call() {
        Object result;
        try {
            result = perform();
        } catch (Throwable thrown) {
            fail(thrown);
            return true;
        }
        if (result instanceof CompletionStage<?> stage) {
            return isOver(stage);
        }
        end(outcomeOf(result));
        return true;
    }

    /** The handler's answer, and nothing more. */
    @Nullable
    Object perform() throws Exception {
        occupy(Thread.currentThread());
        try (JobInLog named = new JobInLog(job())) {
            return rules().handler().body().handle(call.arguments(), new AttemptContext(job(), this));
        } finally {
            vacate();
        }
    }

    private boolean isOver(CompletionStage<?> stage) {
        try {
            stage.whenComplete(this::stageEnded);
            return false;
        } catch (Throwable broken) {
            if (!leave()) {
                return false;
            }
            fail(broken);
            return true;
        }
    }

    private void stageEnded(@Nullable Object value, @Nullable Throwable thrown) {
        if (!leave()) {
            return;
        }
        try {
            if (thrown == null) {
                end(outcomeOf(value));
            } else {
                fail(thrown);
            }
        } finally {
            ends.leftLater(this);
        }
    }

    /** Whoever leaves first frees the slot: stages are the application's, and may end twice. */
    private synchronized boolean leave() {
        boolean first = !left;
        left = true;
        return first;
    }

    /** What an answer says. */
    static JobOutcome outcomeOf(@Nullable Object result) {
        return result instanceof Next next ? next.outcome() : Next.asPlanned().outcome();
    }

    /** It ends with this. */
    void fail(Throwable thrown) {
        if (recalled && rules().mayRetryLost()) {
            comeToNothing(thrown);
        } else {
            end(failed(thrown));
        }
    }

    /** It does not count, unless it is written off already. */
    private void comeToNothing(Throwable reason) {
        if (enter(Phase.ENDED, Phase.RUNNING)) {
            ends.recalled(this);
        } else {
            end(failed(reason));
        }
    }

    /** The outcome of one that ends with this. */
    JobOutcome failed(Throwable thrown) {
        try {
            Throwable cause = unwrapped(thrown);
            Failure failure = Failure.of(cause);
            Throwable described = failure.stackTrace() == null ? null : cause;
            if (timedOut) {
                failure =
                        Failure.of("TimedOut", "interrupted after its time-out of " + rules().timeout() + ": " + cause);
            }
            return new JobOutcome.Failed(failure, rules().mayRetry(cause), described);
        } catch (RuntimeException | Error brokenException) {
            Failure failure = Failure.of(thrown.getClass().getName(), "(the exception cannot be examined)");
            return new JobOutcome.Failed(failure, rules().mayRetryLost());
        }
    }

    private static Throwable unwrapped(Throwable thrown) {
        Throwable cause = thrown instanceof CompletionException ? thrown.getCause() : null;
        return cause != null ? cause : thrown;
    }

    private synchronized void occupy(Thread worker) {
        thread = worker;
        if (interrupted) {
            // It came before there was a thread to interrupt.
            worker.interrupt();
        }
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

    /** Lets the handler know that somebody has asked to cancel its job. */
    void requestCancel() {
        cancelRequested = true;
    }

    /** Asks the handler to come to its end, for the reason that its time is up. */
    void timeOut() {
        timedOut = true;
        interrupt();
    }

    /**
     * What it has done is about to be committed: from here on it cannot be written off any more.
     *
     * @throws IllegalStateException when its time was up before
     */
    void endUnlessTimedOut() {
        if (timedOut || !enter(Phase.ENDED, Phase.RUNNING)) {
            throw new IllegalStateException(
                    "The handler came to its end when its time was up, and what it wrote is rolled back.");
        }
    }

    /** It ends like this. */
    void end(JobOutcome outcome) {
        if (enter(Phase.ENDED, Phase.RUNNING)) {
            ends.ended(this, outcome);
        } else if (enter(Phase.ENDED, Phase.WRITTEN_OFF)) {
            ends.endedLate(this);
        }
    }

    /**
     * Gives it up for lost, unless it has ended: nobody waits for it any more. An end that comes at this very moment
     * waits until the write-off was told, so that it is told as the late one.
     */
    synchronized void writeOff() {
        if (!enter(Phase.WRITTEN_OFF, Phase.RUNNING)) {
            return;
        }
        Failure failure = Failure.of(
                "TimedOut",
                "did not end within its time-out of %s, nor soon after its interruption; it may still be under way"
                        .formatted(rules().timeout()));
        ends.writtenOff(this, new JobOutcome.TimedOut(failure, rules().mayRetryLost()));
    }

    private synchronized boolean enter(Phase next, Phase from) {
        boolean enters = phase == from;
        if (enters) {
            phase = next;
        }
        return enters;
    }

    /** Whether nobody waits for it any more, although it may be under way. */
    synchronized boolean isWrittenOff() {
        return phase == Phase.WRITTEN_OFF;
    }

    /** Not by its place in memory: those that time out together do so in the same order whenever a test is repeated. */
    @Override
    public int hashCode() {
        return job().id().hashCode();
    }

    @Override
    public String toString() {
        return "%s (%s), run %d, attempt %d".formatted(job().name(), job().id(), job().run(), job().attempt());
    }

    Job job() {
        return call.job();
    }

    AttemptRules rules() {
        return call.rules();
    }

    Misfire.@Nullable Merged merged() {
        return call.merged();
    }

    boolean isInterrupted() {
        return interrupted;
    }

    boolean isCancelRequested() {
        return cancelRequested;
    }
}
