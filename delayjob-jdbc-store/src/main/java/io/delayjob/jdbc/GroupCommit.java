package io.delayjob.jdbc;

import java.time.Duration;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Deque;
import java.util.List;
import java.util.concurrent.Semaphore;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.ReentrantLock;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;
import org.springframework.dao.DataAccessResourceFailureException;

/**
 * Writes the rows of several callers by one statement and one commit. A caller that arrives during a write waits. After
 * this write, the first of the waiting callers writes for all of them.
 *
 * <pre>
 *     A  writes ──────────► answered
 *     B    waits ─────────┴► writes for B, C and D ──► answered
 *     C      waits ──────────────────────────────────► answered
 *     D          waits ──────────────────────────────► answered
 *     E                         waits ───────────────┴► writes ──────────► answered
 * </pre>
 *
 * <p>The class implements group commit (DeWitt et al., 1984) by flat combining (Hendler et al., 2010). Without group
 * commit, each caller would hold a connection and wait until the server has flushed its log.
 *
 * <p>If the latest statement had several rows, the next writer waits a moment for other callers. The wait ends early
 * when the next statement has as many rows as the latest statement. If a connection hangs, the waiting callers soon
 * write in parallel. Thread-safe.
 *
 * @param <R> a row in the form that its caller uses
 */
final class GroupCommit<R> {

    private static final int LARGEST = 100;

    /**
     * @param run whether the statement ran; if not, no row was written
     * @param shared whether the statement also contained rows of other callers
     * @param error {@code null} if the row was written
     */
    record Outcome(boolean run, boolean shared, @Nullable RuntimeException error) {
        private static final Outcome NOT_RUN = new Outcome(false, false, null);

        /** The statement did not end, so nobody knows whether its rows are written. */
        private static final Outcome BROKEN_OFF =
                new Outcome(true, true, new DataAccessResourceFailureException("a shared statement broke off"));
    }

    private final Consumer<List<R>> statement;
    private final Duration patience;
    private final Duration gatherTime;
    private final ReentrantLock lock = new ReentrantLock();
    private final Deque<Member<R>> waiting = new ArrayDeque<>();
    private boolean writing;

    private int latestRows;

    private @Nullable Member<R> gathering;

    /**
     * @param statement writes all of the given rows or none
     * @param patience maximum wait of a caller; after this time, the caller writes a group of its own in parallel
     * @param gatherTime maximum wait of a writer for more callers
     */
    GroupCommit(Consumer<List<R>> statement, Duration patience, Duration gatherTime) {
        this.statement = statement;
        this.patience = patience;
        this.gatherTime = gatherTime;
    }

    /** @param connected runs the action on a connection that commits each statement, or does not run the action */
    Outcome write(R row, Consumer<Runnable> connected) {
        Member<R> mine = new Member<>(row);
        if (isNext(mine)) {
            return writeInTurn(mine, connected);
        }
        boolean called = mine.isCalledWithin(patience);
        if (!called && leaves(mine)) {
            return writeForAll(mine, connected);
        }
        if (!called) {
            mine.awaitCall();
        }
        return mine.outcome == null ? writeInTurn(mine, connected) : mine.outcome;
    }

    private Outcome writeInTurn(Member<R> mine, Consumer<Runnable> connected) {
        try {
            awaitOthers(mine);
            return writeForAll(mine, connected);
        } finally {
            // The next writer is woken last, so that callers that are back at once join the next group.
            callNext();
        }
    }

    private Outcome writeForAll(Member<R> mine, Consumer<Runnable> connected) {
        Group group = new Group(mine);
        try {
            connected.accept(() -> {
                group.gather();
                group.write();
            });
        } finally {
            group.answerOthers();
        }
        return group.outcome;
    }

    Outcome writeAlone(R row, Consumer<Runnable> connected) {
        Group alone = new Group(new Member<>(row));
        connected.accept(alone::write);
        return alone.outcome;
    }

    private boolean isNext(Member<R> member) {
        lock.lock();
        try {
            if (writing) {
                waiting.add(member);
                Member<R> writer = gathering;
                if (writer != null && areAsManyAsBefore()) {
                    writer.called.release();
                    gathering = null;
                }
                return false;
            }
            writing = true;
            return true;
        } finally {
            lock.unlock();
        }
    }

    private void awaitOthers(Member<R> writer) {
        lock.lock();
        try {
            if (areAsManyAsBefore()) {
                return;
            }
            gathering = writer;
        } finally {
            lock.unlock();
        }
        writer.isCalledWithin(gatherTime);
        lock.lock();
        try {
            gathering = null;
        } finally {
            lock.unlock();
        }
    }

    private boolean areAsManyAsBefore() {
        return waiting.size() + 1 >= latestRows;
    }

    private boolean leaves(Member<R> member) {
        lock.lock();
        try {
            return waiting.remove(member);
        } finally {
            lock.unlock();
        }
    }

    private void callNext() {
        lock.lock();
        try {
            Member<R> next = waiting.poll();
            if (next == null) {
                writing = false;
            } else {
                next.called.release();
            }
        } finally {
            lock.unlock();
        }
    }

    private static final class Member<R> {
        private final R row;
        private final Semaphore called = new Semaphore(0);
        /** If a caller is woken and this field is {@code null}, the caller must write its row itself. */
        private @Nullable Outcome outcome;

        Member(R row) {
            this.row = row;
        }

        boolean isCalledWithin(Duration patience) {
            try {
                return called.tryAcquire(patience.toMillis(), TimeUnit.MILLISECONDS);
            } catch (InterruptedException interrupt) {
                Thread.currentThread().interrupt();
                return false;
            }
        }

        void awaitCall() {
            called.acquireUninterruptibly();
        }

        void answer(Outcome outcome) {
            this.outcome = outcome;
            called.release();
        }
    }

    private final class Group {
        private final List<Member<R>> members = new ArrayList<>();
        private Outcome outcome = Outcome.NOT_RUN;

        Group(Member<R> writer) {
            members.add(writer);
        }

        /**
         * If the writer was interrupted, it writes only its own row. On a virtual thread, an interruption breaks the
         * connection, so the rows of other callers would fail, too.
         */
        void gather() {
            if (Thread.currentThread().isInterrupted()) {
                return;
            }
            lock.lock();
            try {
                while (members.size() < LARGEST && !waiting.isEmpty()) {
                    members.add(waiting.element());
                    waiting.remove();
                }
                latestRows = members.size();
            } finally {
                lock.unlock();
            }
        }

        void write() {
            outcome = Outcome.BROKEN_OFF;
            try {
                statement.accept(members.stream().map(member -> member.row).toList());
                outcome = ended(null);
            } catch (RuntimeException error) {
                outcome = ended(error);
            }
        }

        private Outcome ended(@Nullable RuntimeException error) {
            return new Outcome(true, members.size() > 1, error);
        }

        /**
         * This method allocates no memory, because it must not fail. If it failed, the other callers would wait for
         * ever.
         */
        void answerOthers() {
            for (int i = 1; i < members.size(); i++) {
                members.get(i).answer(outcome);
            }
        }
    }
}
