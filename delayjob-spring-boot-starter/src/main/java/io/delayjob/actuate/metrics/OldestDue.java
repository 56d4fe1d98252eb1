package io.delayjob.actuate.metrics;

import io.delayjob.job.DueRow;
import io.delayjob.store.JobStore;
import io.delayjob.store.StoreException;
import io.delayjob.time.EngineClock;
import java.time.Duration;
import java.util.List;
import java.util.OptionalLong;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.function.BooleanSupplier;

/**
 * Tells how long the oldest due job has been waiting, whichever instance should run it. It reads one row of each
 * partition, at most every ten seconds, however often the meters are read. It reads nothing while the store is in
 * trouble, so that meters do not wait for it. While one reader waits for the store, the others get the previous answer.
 * Thread-safe.
 */
final class OldestDue {

    private static final Duration PAUSE = Duration.ofSeconds(10);

    private final JobStore store;
    private final EngineClock clock;
    private final BooleanSupplier inTrouble;
    private final AtomicBoolean asking = new AtomicBoolean();
    private volatile Answer last = Answer.NONE;

    OldestDue(JobStore store, EngineClock clock, BooleanSupplier inTrouble) {
        this.store = store;
        this.clock = clock;
        this.inTrouble = inTrouble;
    }

    /** Returns zero if no job is due; not a number if the store gives no answer. */
    double ageMillis() {
        Answer answer = answer();
        if (!answer.known) {
            return Double.NaN;
        }
        return answer.dueMillis.isEmpty() ? 0 : Math.max(0, clock.storeMillis() - answer.dueMillis.getAsLong());
    }

    /**
     * Returns the current answer. Only one caller reads the store at a time; the others get the previous answer without
     * waiting.
     */
    private Answer answer() {
        Answer answer = last;
        if (isFresh(answer) || !asking.compareAndSet(false, true)) {
            return answer;
        }
        try {
            if (!isFresh(last)) {
                last = ask(clock.nanoTime());
            }
            return last;
        } finally {
            asking.set(false);
        }
    }

    private boolean isFresh(Answer answer) {
        return answer.asked && clock.nanoTime() - answer.askedNanos < PAUSE.toNanos();
    }

    private Answer ask(long now) {
        if (inTrouble.getAsBoolean()) {
            return Answer.unknown(now);
        }
        try {
            List<DueRow> first = store.firstDue(store.partitionsInUse().keySet(), clock.storeTime(), 1);
            return new Answer(
                    true, now, true, first.stream().mapToLong(DueRow::dueMillis).min());
        } catch (StoreException away) {
            return Answer.unknown(now);
        }
    }

    private record Answer(boolean asked, long askedNanos, boolean known, OptionalLong dueMillis) {

        static final Answer NONE = new Answer(false, 0, false, OptionalLong.empty());

        static Answer unknown(long askedNanos) {
            return new Answer(true, askedNanos, false, OptionalLong.empty());
        }
    }
}
