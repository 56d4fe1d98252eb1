package io.delayjob.internal.dispatch;

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
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Calls atomic handlers. As what the handler has written, its end is written by the time that the call returns, or
 * rolled back. The attempt begins once it has its transaction: to wait for a connection takes none of its time.
 */
final class AtomicInvocation implements Invocation {

    private static final Logger log = LoggerFactory.getLogger(AtomicInvocation.class);

    private final HandlerTransactions transactions;
    private final Lanes lanes;
    private final Recorder recorder;
    private final UnderWay underWay;
    private final Attempt.Ends ends;
    private final EngineClock clock;
    private final LogThrottle noTransactions = new LogThrottle();

    AtomicInvocation(
            HandlerTransactions transactions,
            Lanes lanes,
            Recorder recorder,
            UnderWay underWay,
            Attempt.Ends ends,
            EngineClock clock) {
        this.transactions = transactions;
        this.lanes = lanes;
        this.recorder = recorder;
        this.underWay = underWay;
        this.ends = ends;
        this.clock = clock;
    }

    @Override
    public Made make(Ticket ticket, Verdict.Call call) {
        Supplier<@Nullable Attempt> beginning = () -> begin(ticket, call);
        AtomicCall atomic = new AtomicCall(beginning, call.arguments(), recorder, clock);
        underWay.add(atomic);
        try {
            CompletionResult result = transactions.complete(atomic, call.rules().timeout());
            recorder.decided(requireNonNull(atomic.attempt()), requireNonNull(atomic.end()), result);
        } catch (Throwable thrown) {
            failed(ticket, call, atomic, thrown);
        } finally {
            underWay.remove(atomic);
        }
        Attempt attempt = atomic.attempt();
        if (attempt == null) {
            return new Made.NotCalled();
        }
        underWay.forget(attempt);
        return new Made.Ended(recorder.took(attempt));
    }

    /** What came before may have taken longer than others wait for this instance, the connection above all. */
    private @Nullable Attempt begin(Ticket ticket, Verdict.Call call) {
        if (!underWay.mayBegin(call.job()) || !underWay.mayStart(call.job()) || ticket.lane.paused) {
            return null;
        }
        Attempt attempt = new Attempt(ticket, call, clock.nanoTime(), ends);
        underWay.begin(attempt);
        return attempt;
    }

    private void failed(Ticket ticket, Verdict.Call call, AtomicCall atomic, Throwable thrown) {
        Attempt attempt = atomic.attempt();
        if (attempt != null) {
            rolledBack(attempt, atomic.end(), thrown);
        } else if (atomic.isRecalled() || thrown instanceof AtomicCall.NotCalledException) {
            lanes.giveBack(ticket);
        } else if (isOfStore(thrown)) {
            noTransaction(call.job(), thrown);
            lanes.giveBack(ticket);
        } else {
            new Attempt(ticket, call, clock.nanoTime(), ends).fail(thrown);
        }
    }

    private void noTransaction(Job job, Throwable thrown) {
        noTransactions
                .admit(job.name(), clock.nanoTime())
                .ifPresent(before -> log.warn(
                        "Job {} ({}) could not be given a transaction and is released{}: {}",
                        job.id(),
                        job.name(),
                        LogThrottle.withOthers(before),
                        thrown.getMessage()));
    }

    private void rolledBack(Attempt attempt, @Nullable Completion end, Throwable thrown) {
        if (end != null) {
            // Unless it is only the answer that was lost: whether the transaction was committed, the row tells.
            recorder.doubtful(attempt, uncommitted(attempt, thrown), end);
        } else if (thrown instanceof AtomicCall.RefusedAnswerException refused) {
            attempt.end(refused.outcome());
        } else {
            attempt.fail(thrown);
        }
    }

    /** What the store could not commit is no exception of the handler's: which of those are retried does not matter. */
    private static JobOutcome uncommitted(Attempt attempt, Throwable thrown) {
        return isOfStore(thrown)
                ? new JobOutcome.Failed(Failure.of(thrown), attempt.rules().mayRetryLost())
                : attempt.failed(thrown);
    }

    private static boolean isOfStore(Throwable thrown) {
        return thrown instanceof StoreException failure && failure.isTransient();
    }
}
