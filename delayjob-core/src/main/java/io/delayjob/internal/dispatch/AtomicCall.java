package io.delayjob.internal.dispatch;

import io.delayjob.job.Completion;
import io.delayjob.job.JobOutcome;
import io.delayjob.store.HandlerTransactions;
import io.delayjob.time.EngineClock;
import java.util.List;
import java.util.concurrent.CompletionStage;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/**
 * The call of an atomic handler, within the transaction that its end is the last statement of. Belongs to the worker
 * that makes it; but for {@link #recall}, which may come from any thread.
 */
final class AtomicCall implements HandlerTransactions.Work {

    /** Thrown when the handler is not to be called after all; no fault of anybody's. */
    static final class NotCalledException extends Exception {

        private static final long serialVersionUID = 1;

        private NotCalledException() {
            super("not called", null, false, false);
        }
    }

    /** Thrown when the handler's answer is a failure: what it has written is not to stay. */
    static final class RefusedAnswerException extends Exception {

        private static final long serialVersionUID = 1;

        private final transient JobOutcome outcome;

        private RefusedAnswerException(JobOutcome.Failed outcome) {
            super(outcome.failure().message(), null, false, false);
            this.outcome = outcome;
        }

        JobOutcome outcome() {
            return outcome;
        }
    }

    private final Supplier<@Nullable Attempt> beginning;
    private final List<@Nullable Object> arguments;
    private final Recorder recorder;
    private final EngineClock clock;
    private final Thread worker = Thread.currentThread();

    private boolean waiting = true;
    private boolean recalled;
    private @Nullable Attempt attempt;
    private @Nullable Completion end;

    /** @param beginning begins the attempt, unless it may not be made any more */
    AtomicCall(
            Supplier<@Nullable Attempt> beginning,
            List<@Nullable Object> arguments,
            Recorder recorder,
            EngineClock clock) {
        this.beginning = beginning;
        this.arguments = arguments;
        this.recorder = recorder;
        this.clock = clock;
    }

    @Override
    public HandlerTransactions.Decision perform() throws Exception {
        enter();
        Attempt begun = beginning.get();
        if (begun == null) {
            throw new NotCalledException();
        }
        attempt = begun;
        JobOutcome outcome = outcome(begun);
        return () -> decide(begun, outcome);
    }

    private JobOutcome outcome(Attempt attempt) throws Exception {
        Object answer = attempt.perform(arguments);
        if (answer instanceof CompletionStage<?>) {
            throw new IllegalStateException(
                    "The atomic handler '%s' answered a CompletionStage, whose work would go on after its transaction: let it return nothing or a Next, or do without atomic."
                            .formatted(attempt.rules().handler().name()));
        }
        JobOutcome outcome = attempt.rules().bounded(Attempt.outcomeOf(answer), attempt.job(), clock.storeTime());
        if (outcome instanceof JobOutcome.Failed failed) {
            throw new RefusedAnswerException(failed);
        }
        return outcome;
    }

    private Completion decide(Attempt attempt, JobOutcome outcome) {
        Completion decided = recorder.decide(attempt, outcome);
        attempt.endUnlessTimedOut();
        end = decided;
        return decided;
    }

    private synchronized void enter() throws NotCalledException {
        if (recalled) {
            // The transaction is still to be rolled back, and not every driver can do that on an interrupted thread.
            Thread.interrupted();
            throw new NotCalledException();
        }
        waiting = false;
    }

    /** The instance stops: it is not to wait for its transaction any more. Does nothing once it has one. */
    synchronized void recall() {
        if (waiting) {
            recalled = true;
            worker.interrupt();
        }
    }

    /** It is over: the worker goes on to other jobs, and an interruption meant for this call must not reach them. */
    synchronized void leave() {
        waiting = false;
        if (recalled) {
            Thread.interrupted();
        }
    }

    /** Whether it was recalled before it had its transaction. */
    synchronized boolean isRecalled() {
        return recalled;
    }

    /** The attempt; {@code null} when it was not begun. */
    @Nullable
    Attempt attempt() {
        return attempt;
    }

    /** The end that the transaction was to commit; {@code null} when it did not come to that. */
    @Nullable
    Completion end() {
        return end;
    }
}
