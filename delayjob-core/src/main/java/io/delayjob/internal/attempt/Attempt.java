package io.delayjob.internal.attempt;

import io.delayjob.handler.Next;
import io.delayjob.job.Failure;
import io.delayjob.job.Job;
import io.delayjob.job.JobLog;
import io.delayjob.job.JobOutcome;
import io.delayjob.schedule.Misfire;
import io.delayjob.store.Vitals;
import io.delayjob.time.EngineClock;
import java.util.List;
import java.util.concurrent.CompletionException;
import java.util.concurrent.CompletionStage;
import org.jspecify.annotations.Nullable;

/**
 * Represents one call to a handler for a job. An attempt ends exactly once: by itself, or because the engine gives up
 * waiting for it (writes it off). If a written-off attempt ends later, the engine only records this. Thread-safe.
 */
final class Attempt {

    interface Ends {

        void ended(Attempt attempt, JobOutcome outcome);

        void endedLate(Attempt attempt);

        /**
         * Called if the stop of the instance has interrupted the attempt, so that the attempt does not count as failed.
         */
        void recalled(Attempt attempt);

        /** Called only for an attempt with a completion stage, after the attempt has left its slot. */
        void leftLater(Attempt attempt);

        void writtenOff(Attempt attempt, JobOutcome.TimedOut outcome);
    }

    private enum Phase {
        RUNNING,
        WRITTEN_OFF,
        ENDED
    }

    final Assignment assignment;
    private final Verdict.Call call;
    private final EngineClock clock;
    private final Ends ends;
    final long startedNanos;

    /** Monotonic time; {@link Long#MAX_VALUE} if the attempt has no timeout. */
    final long deadlineNanos;

    private Phase phase = Phase.RUNNING;
    private boolean left;
    private @Nullable Thread thread;
    private volatile boolean interrupted;
    private volatile boolean timedOut;
    private volatile boolean recalled;
    private volatile boolean cancelRequested;
    private volatile Vitals.@Nullable Progress progress;
    private volatile @Nullable JobLog log;

    Attempt(Assignment assignment, Verdict.Call call, EngineClock clock, Ends ends) {
        this.assignment = assignment;
        this.call = call;
        this.clock = clock;
        this.startedNanos = clock.nanoTime();
        this.deadlineNanos = call.rules().deadlineNanos(startedNanos);
        this.ends = ends;
    }

    /** @return {@code false} if the attempt ends only when the handler's completion stage completes */
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

    /** Calls the handler without recording an outcome. */
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

    /**
     * Returns {@code true} only to the first caller. A completion stage of the application may report its end twice.
     */
    private synchronized boolean leave() {
        boolean first = !left;
        left = true;
        return first;
    }

    static JobOutcome outcomeOf(@Nullable Object result) {
        return result instanceof Next next ? next.outcome() : Next.asPlanned().outcome();
    }

    /**
     * If the stop of the instance has interrupted the handler, and another attempt is allowed, this attempt does not
     * count.
     */
    void fail(Throwable thrown) {
        if (recalled && rules().mayRetryLost()) {
            comeToNothing(thrown);
        } else {
            end(failed(thrown));
        }
    }

    private void comeToNothing(Throwable reason) {
        if (enter(Phase.ENDED, Phase.RUNNING)) {
            ends.recalled(this);
        } else {
            end(failed(reason));
        }
    }

    JobOutcome failed(Throwable thrown) {
        try {
            Throwable cause = unwrapped(thrown);
            Failure failure = Failure.of(cause);
            Throwable described = failure.stackTrace() == null ? null : cause;
            if (timedOut) {
                failure =
                        Failure.of("TimedOut", "interrupted after its timeout of " + rules().timeout() + ": " + cause);
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
            // The timeout has passed before there was a thread to interrupt.
            worker.interrupt();
        }
    }

    /** A late interruption must not reach the later jobs of the worker thread. */
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

    void recall() {
        recalled = true;
        interrupt();
    }

    void progressed(long done, long total, String note) {
        progress = new Vitals.Progress(job().id(), job().attempt(), done, total, note);
    }

    Vitals.@Nullable Progress progress() {
        return progress;
    }

    /** The next heartbeat sends this log line. The line is stored when the attempt ends. */
    synchronized void logged(String message) {
        JobLog before = log == null ? new JobLog(job().attempt(), List.of()) : log;
        log = before.with(new JobLog.Line(clock.storeTime(), message));
    }

    @Nullable
    JobLog log() {
        return log;
    }

    void requestCancel() {
        cancelRequested = true;
    }

    void timeOut() {
        timedOut = true;
        interrupt();
    }

    /**
     * Marks the attempt as ended. After that, the engine cannot write off the attempt, so its work can be committed.
     *
     * @throws IllegalStateException if the timeout has passed
     */
    void endUnlessTimedOut() {
        if (timedOut || !enter(Phase.ENDED, Phase.RUNNING)) {
            throw new IllegalStateException("The handler ended after its timeout. Its changes were rolled back.");
        }
    }

    void end(JobOutcome outcome) {
        if (enter(Phase.ENDED, Phase.RUNNING)) {
            ends.ended(this, outcome);
        } else if (enter(Phase.ENDED, Phase.WRITTEN_OFF)) {
            ends.endedLate(this);
        }
    }

    /**
     * Stops waiting for the attempt, unless it has ended. If the attempt ends during this call, its late end is
     * reported after the call.
     */
    synchronized void writeOff() {
        if (!enter(Phase.WRITTEN_OFF, Phase.RUNNING)) {
            return;
        }
        Failure failure = Failure.of(
                "TimedOut",
                "did not end within its timeout of %s, nor soon after it was interrupted; it may still be running"
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

    synchronized boolean isWrittenOff() {
        return phase == Phase.WRITTEN_OFF;
    }

    /** Does not depend on the object's address, so that repeated tests see simultaneous timeouts in the same order. */
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
