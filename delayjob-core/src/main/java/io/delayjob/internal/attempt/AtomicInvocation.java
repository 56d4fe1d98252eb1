package io.delayjob.internal.attempt;

import static java.util.Objects.requireNonNull;

import io.delayjob.event.LogThrottle;
import io.delayjob.job.Completion;
import io.delayjob.job.Failure;
import io.delayjob.job.Job;
import io.delayjob.job.JobOutcome;
import io.delayjob.store.CompletionResult;
import io.delayjob.store.HandlerTransactions;
import io.delayjob.store.StoreException;
import io.delayjob.time.EngineClock;
import java.util.concurrent.CompletionStage;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Calls atomic handlers. The last statement of the handler's transaction writes the outcome of the attempt. The wait
 * for a database connection is not part of the timeout. Thread-safe.
 */
final class AtomicInvocation {

    private static final Logger log = LoggerFactory.getLogger(AtomicInvocation.class);

    private final HandlerTransactions transactions;
    private final Recorder recorder;
    private final UnderWay underWay;
    private final EngineClock clock;
    private final Attempts attempts;
    private final LogThrottle noTransactions = new LogThrottle();

    AtomicInvocation(
            HandlerTransactions transactions,
            Recorder recorder,
            UnderWay underWay,
            EngineClock clock,
            Attempts attempts) {
        this.transactions = transactions;
        this.recorder = recorder;
        this.underWay = underWay;
        this.clock = clock;
        this.attempts = attempts;
    }

    Made make(Assignment assignment, Verdict.Call call) {
        Call atomic = new Call(assignment, call);
        Runnable recall = atomic::recall;
        underWay.addWaiting(recall);
        try {
            CompletionResult result = transactions.complete(atomic, call.rules().timeout());
            recorder.decided(requireNonNull(atomic.attempt), requireNonNull(atomic.end), result);
        } catch (Throwable thrown) {
            if (atomic.attempt == null) {
                return notBegun(atomic, thrown);
            }
            rolledBack(atomic.attempt, atomic.end, thrown);
        } finally {
            underWay.removeWaiting(recall);
            atomic.leave();
        }
        Attempt attempt = requireNonNull(atomic.attempt);
        underWay.remove(attempt);
        return new Made.Ended(recorder.took(attempt));
    }

    private Made notBegun(Call atomic, Throwable thrown) {
        if (atomic.isRecalled() || thrown instanceof NotCalledException) {
            return new Made.GivenBack();
        }
        if (isOfStore(thrown)) {
            Job job = atomic.call.job();
            noTransactions
                    .admit(job.name(), clock.nanoTime())
                    .ifPresent(before -> log.warn(
                            "Job {} ({}) did not start{}, because its transaction could not begin. delayjob "
                                    + "tries to start the job again. The reason: {}",
                            job.id(),
                            job.name(),
                            LogThrottle.withOthers(before),
                            thrown.getMessage()));
            return new Made.GivenBack();
        }
        attempts.failBeforeBeginning(atomic.assignment, atomic.call, thrown);
        return new Made.Decided();
    }

    private void rolledBack(Attempt attempt, @Nullable Completion end, Throwable thrown) {
        if (end != null) {
            // The commit may have succeeded although its reply was lost.
            recorder.doubtful(attempt, uncommitted(attempt, thrown), end);
        } else if (thrown instanceof RefusedAnswerException refused) {
            attempt.end(refused.outcome);
        } else {
            attempt.fail(thrown);
        }
    }

    /** If the store was unavailable, the handler's list of retried exceptions does not apply. */
    private static JobOutcome uncommitted(Attempt attempt, Throwable thrown) {
        return isOfStore(thrown)
                ? new JobOutcome.Failed(Failure.of(thrown), attempt.rules().mayRetryLost())
                : attempt.failed(thrown);
    }

    private static boolean isOfStore(Throwable thrown) {
        return thrown instanceof StoreException failure && failure.isTransient();
    }

    /** Makes one call to a handler within its transaction. Only {@link #recall} may be called by other threads. */
    private final class Call implements HandlerTransactions.Work {

        private final Assignment assignment;
        private final Verdict.Call call;
        private final Thread worker = Thread.currentThread();
        private boolean waiting = true;
        private boolean recalled;

        private @Nullable Attempt attempt;

        /** The outcome that the transaction will commit; {@code null} if there is none yet. */
        private @Nullable Completion end;

        private Call(Assignment assignment, Verdict.Call call) {
            this.assignment = assignment;
            this.call = call;
        }

        @Override
        public HandlerTransactions.Decision perform() throws Exception {
            enter();
            Attempt begun = attempts.begin(assignment, call);
            if (begun == null) {
                throw new NotCalledException();
            }
            attempt = begun;
            JobOutcome outcome = outcome(begun);
            return () -> {
                Completion decided = recorder.decide(begun, outcome);
                begun.endUnlessTimedOut();
                end = decided;
                return decided;
            };
        }

        private JobOutcome outcome(Attempt begun) throws Exception {
            Object answer = begun.perform();
            if (answer instanceof CompletionStage<?>) {
                throw new IllegalStateException(
                        "The atomic handler '%s' returned a CompletionStage, whose work could go on after the transaction. Return nothing or a Next, or remove atomic."
                                .formatted(call.rules().handler().name()));
            }
            JobOutcome outcome = call.rules().bounded(Attempt.outcomeOf(answer), begun.job(), clock.storeTime());
            if (outcome instanceof JobOutcome.Failed failed) {
                throw new RefusedAnswerException(failed);
            }
            if (outcome instanceof JobOutcome.Awaited) {
                throw new IllegalStateException(
                        ("The atomic handler '%s' returned Next.awaitAnswer, but nobody can answer, "
                                        + "because an atomic handler has no ticket. Remove atomic, or let a second job with "
                                        + "a plain handler await the answer.")
                                .formatted(call.rules().handler().name()));
            }
            return outcome;
        }

        private synchronized void enter() throws NotCalledException {
            if (recalled) {
                // Some drivers cannot roll back the transaction on an interrupted thread.
                Thread.interrupted();
                throw new NotCalledException();
            }
            waiting = false;
        }

        private synchronized void recall() {
            if (waiting) {
                recalled = true;
                worker.interrupt();
            }
        }

        /** Clears a late interruption, which would otherwise reach the next job of this thread. */
        private synchronized void leave() {
            waiting = false;
            if (recalled) {
                Thread.interrupted();
            }
        }

        private synchronized boolean isRecalled() {
            return recalled;
        }
    }

    private static final class NotCalledException extends Exception {

        private static final long serialVersionUID = 1;

        private NotCalledException() {
            super("not called", null, false, false);
        }
    }

    private static final class RefusedAnswerException extends Exception {

        private static final long serialVersionUID = 1;

        private final transient JobOutcome outcome;

        private RefusedAnswerException(JobOutcome.Failed outcome) {
            super(outcome.failure().message(), null, false, false);
            this.outcome = outcome;
        }
    }
}
