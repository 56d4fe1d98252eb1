package io.delayjob.internal.dispatch;

import io.delayjob.job.Completion;
import io.delayjob.memory.MemoryJobStore;
import io.delayjob.store.CompletionResult;
import io.delayjob.store.HandlerTransactions;
import io.delayjob.store.StoreException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;

/**
 * Transactions over a store that has none. What handlers write are {@link #effects}: they stay if and only if the end
 * of their attempt does.
 */
public final class HandTransactions implements HandlerTransactions {

    /** What was committed. */
    public final List<String> effects = new ArrayList<>();

    public final List<Duration> timeouts = new ArrayList<>();

    /** Keeps transactions from beginning. */
    public RuntimeException refusal;

    public Runnable beforeBegin = () -> {};
    public Runnable flush = () -> {};
    public Runnable beforeCommit = () -> {};

    /** What is heard instead of the next commit's answer; whether that was done: */
    public RuntimeException answer;

    public boolean isCommitted;

    private final MemoryJobStore rows;
    private List<String> written;

    /** The end that was to be committed last. */
    public Completion last;

    public HandTransactions(MemoryJobStore rows) {
        this.rows = rows;
    }

    /** What a handler writes. */
    public void write(String effect) {
        written.add(effect);
    }

    /** The next commit's answer is lost. */
    public void loseAnswer(boolean committed) {
        answer = StoreException.unavailable("no answer", new IllegalStateException());
        isCommitted = committed;
    }

    @Override
    public CompletionResult complete(Work work, Duration timeout) throws Exception {
        timeouts.add(timeout);
        beforeBegin.run();
        if (refusal != null) {
            throw refusal;
        }
        written = new ArrayList<>();
        Decision decision = work.perform();
        flush.run();
        Completion end = decision.end();
        last = end;
        beforeCommit.run();
        RuntimeException lost = answer;
        answer = null;
        if (lost != null && !isCommitted) {
            throw lost;
        }
        CompletionResult result = rows.complete(List.of(end)).get(0);
        boolean stands = result == CompletionResult.ACCEPTED || result == CompletionResult.ACCEPTED_CANCELLED;
        if (stands) {
            effects.addAll(written);
        }
        if (lost != null) {
            throw lost;
        }
        return stands ? result : CompletionResult.FENCED;
    }
}
