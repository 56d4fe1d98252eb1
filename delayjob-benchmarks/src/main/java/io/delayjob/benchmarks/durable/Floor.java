package io.delayjob.benchmarks.durable;

import java.sql.Connection;
import java.sql.PreparedStatement;
import java.sql.SQLException;
import java.time.Duration;
import java.util.concurrent.locks.LockSupport;
import org.jspecify.annotations.Nullable;

/**
 * Measures the lateness that the machine and its database cause themselves, while the engine runs. The first
 * measurement is how late a parked thread wakes up. The second measurement is the time from the planned time of an
 * UPDATE until the UPDATE is durable.
 */
final class Floor implements AutoCloseable {

    private static final Duration BETWEEN_WAKE_UPS = Duration.ofMillis(1);
    private static final Duration BETWEEN_COMMITS = Duration.ofMillis(5);

    /** @param commit time from the planned time of an UPDATE until its COMMIT is durable */
    record Summary(Latenesses.Summary wakeUp, Latenesses.Summary commit) {

        @Override
        public String toString() {
            return "a parked thread, every %s: %s%n  UPDATE and COMMIT of one row, every %s: %s"
                    .formatted(BETWEEN_WAKE_UPS, wakeUp, BETWEEN_COMMITS, commit);
        }
    }

    private final Latenesses wakeUps = new Latenesses(0);
    private final Latenesses commits = new Latenesses(0);
    private final Connection connection;
    private final Thread parker = thread("parker", () -> every(BETWEEN_WAKE_UPS, this::wokenUp));
    private final Thread committer = thread("committer", () -> every(BETWEEN_COMMITS, this::commit));

    private volatile boolean counting;
    private volatile boolean closed;
    private volatile @Nullable RuntimeException failure;

    /** @param connection the connection that this object uses, and closes at the end */
    Floor(Connection connection) {
        this.connection = connection;
        try {
            connection.setAutoCommit(true);
            execute("CREATE TABLE floor (id INTEGER PRIMARY KEY, n BIGINT NOT NULL) WITH (fillfactor = 10)");
            execute("INSERT INTO floor VALUES (1, 0)");
        } catch (SQLException error) {
            throw new IllegalStateException("The table of the bare measurement could not be created", error);
        }
        parker.start();
        committer.start();
    }

    private static Thread thread(String name, Runnable task) {
        Thread thread = new Thread(task, "floor-" + name);
        thread.setDaemon(true);
        return thread;
    }

    /** Earlier measurements are not counted. */
    void count() {
        counting = true;
    }

    private interface Beat {
        void at(long nanos);
    }

    private void every(Duration distance, Beat beat) {
        long at = System.nanoTime();
        while (!closed) {
            at += distance.toNanos();
            long early = at - System.nanoTime();
            while (early > 0 && !closed) {
                LockSupport.parkNanos(early);
                early = at - System.nanoTime();
            }
            beat.at(at);
        }
    }

    private void wokenUp(long at) {
        note(wakeUps, System.nanoTime() - at);
    }

    private void commit(long at) {
        try {
            execute("UPDATE floor SET n = n + 1 WHERE id = 1");
        } catch (SQLException error) {
            failure = new IllegalStateException("A commit of the bare measurement failed", error);
            closed = true;
        }
        note(commits, System.nanoTime() - at);
    }

    private void note(Latenesses latenesses, long nanos) {
        if (counting) {
            latenesses.add(Duration.ofNanos(nanos));
        }
    }

    private void execute(String sql) throws SQLException {
        try (PreparedStatement statement = connection.prepareStatement(sql)) {
            statement.execute();
        }
    }

    Summary summary() {
        RuntimeException failed = failure;
        if (failed != null) {
            throw failed;
        }
        return new Summary(wakeUps.summary(), commits.summary());
    }

    @Override
    public void close() throws InterruptedException {
        closed = true;
        parker.join();
        committer.join();
        try {
            execute("DROP TABLE floor");
            connection.close();
        } catch (SQLException broken) {
            // The schema is dropped later, with all of its tables.
        }
    }
}
