package io.delayjob.benchmarks.durable;

import io.delayjob.internal.engine.EngineRandom;
import io.delayjob.job.JobId;
import java.io.IOException;
import java.io.StringReader;
import java.sql.Array;
import java.sql.Connection;
import java.sql.PreparedStatement;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Statement;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.UUID;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.TimeUnit;
import java.util.random.RandomGenerator;
import java.util.regex.Pattern;
import javax.sql.DataSource;
import org.postgresql.PGConnection;

/**
 * Shows how fast the database server itself can be. This contender has no rescue, no retry, no limits and no handlers.
 * It writes and claims the smallest possible rows with plain JDBC.
 *
 * <p>The fill factor leaves space on each page for the claimed versions of its rows. No index contains a column that a
 * claim changes. So each claim is a heap-only tuple (HOT) update. A claim continues where the last claim on its
 * connection ended. So it does not search through deleted rows. The owner deletes a row by the row's place on disk,
 * which only the owner changes. Every statement is its own durable transaction.
 */
record PlainSqlContender() implements Contender {

    private static final int BATCH = 500;
    private static final int CONNECTIONS = 2;

    @Override
    public String tables() {
        return """
                CREATE TABLE plain_job (id UUID PRIMARY KEY, due_at BIGINT NOT NULL, owner INTEGER, payload TEXT)
                    WITH (fillfactor = 50);
                CREATE INDEX plain_job_due ON plain_job (due_at, id);
                """;
    }

    @Override
    public Instance open(DataSource dataSource, Work work, int number) {
        return new Running(dataSource, work, new EngineRandom(), Executors.newFixedThreadPool(CONNECTIONS));
    }

    @Override
    public String unfinished() {
        return """
                SELECT 1 FROM plain_job WHERE due_at <= (EXTRACT(EPOCH FROM now()) * 1000)::BIGINT
                ORDER BY due_at LIMIT 1
                """;
    }

    @Override
    public Pattern jobTables() {
        return Pattern.compile("\\bplain_job\\b");
    }

    @Override
    public boolean waits() {
        return false;
    }

    @Override
    public String configuration() {
        return "the floor: claims and deletes %d rows at a time through %d connections, writes many by COPY"
                .formatted(BATCH, CONNECTIONS);
    }

    /** Claimed rows are compared in the order of the index. */
    private record Claimed(long dueMillis, JobId id, String place) implements Comparable<Claimed> {

        private static final Claimed NONE = new Claimed(Long.MIN_VALUE, new JobId(new UUID(0, 0)), "");
        private static final Comparator<Claimed> BY_INDEX =
                Comparator.comparingLong(Claimed::dueMillis).thenComparing(Claimed::id);

        @Override
        public int compareTo(Claimed other) {
            return BY_INDEX.compare(this, other);
        }
    }

    private record Running(DataSource dataSource, Work work, RandomGenerator random, ExecutorService threads)
            implements Instance {

        @Override
        public void start() {
            for (int i = 0; i < CONNECTIONS; i++) {
                threads.execute(this::drain);
            }
        }

        private void drain() {
            try (Connection connection = dataSource.getConnection();
                    Statement settings = connection.createStatement();
                    PreparedStatement claim = connection.prepareStatement("""
                            UPDATE plain_job SET owner = 1 WHERE ctid = ANY(ARRAY(
                                SELECT ctid FROM plain_job
                                WHERE (due_at, id) > (?, ?) AND due_at <= ? AND owner IS NULL
                                ORDER BY due_at, id LIMIT %d FOR UPDATE SKIP LOCKED))
                            RETURNING id, due_at, payload, ctid
                            """.formatted(BATCH));
                    PreparedStatement delete =
                            connection.prepareStatement("DELETE FROM plain_job WHERE ctid = ANY(CAST(? AS TID[]))")) {
                // The server reads along the index and finds rows by their place, whatever its statistics are. It plans
                // the statement only once.
                settings.execute("SET enable_seqscan = off; SET enable_bitmapscan = off;"
                        + " SET plan_cache_mode = force_generic_plan");
                Claimed last = Claimed.NONE;
                List<Claimed> claimed;
                while (!(claimed = claim(claim, last)).isEmpty()) {
                    for (Claimed row : claimed) {
                        work.run(Instant.ofEpochMilli(row.dueMillis));
                        last = row.compareTo(last) > 0 ? row : last;
                    }
                    delete(delete, claimed);
                    claimed.forEach(row -> work.ended());
                }
            } catch (SQLException error) {
                throw gaveWay(error);
            } catch (InterruptedException stopped) {
                Thread.currentThread().interrupt();
            }
        }

        private static List<Claimed> claim(PreparedStatement claim, Claimed after) throws SQLException {
            claim.setLong(1, after.dueMillis);
            claim.setObject(2, after.id.value());
            claim.setLong(3, System.currentTimeMillis());
            try (ResultSet rows = claim.executeQuery()) {
                List<Claimed> claimed = new ArrayList<>(BATCH);
                while (rows.next()) {
                    claimed.add(
                            new Claimed(rows.getLong(2), new JobId(rows.getObject(1, UUID.class)), rows.getString(4)));
                }
                return claimed;
            }
        }

        private static void delete(PreparedStatement delete, List<Claimed> claimed) throws SQLException {
            Array places = delete.getConnection()
                    .createArrayOf("tid", claimed.stream().map(Claimed::place).toArray());
            delete.setArray(1, places);
            delete.executeUpdate();
        }

        @Override
        public void schedule(Instant due) {
            try (Connection connection = dataSource.getConnection();
                    PreparedStatement insert =
                            connection.prepareStatement("INSERT INTO plain_job (id, due_at) VALUES (?, ?)")) {
                insert.setObject(1, newId().value());
                insert.setLong(2, due.toEpochMilli());
                insert.executeUpdate();
            } catch (SQLException error) {
                throw gaveWay(error);
            }
        }

        @Override
        public void scheduleAll(List<Instant> due) {
            StringBuilder rows = new StringBuilder();
            due.forEach(instant -> rows.append(newId())
                    .append('\t')
                    .append(instant.toEpochMilli())
                    .append('\n'));
            try (Connection connection = dataSource.getConnection()) {
                connection
                        .unwrap(PGConnection.class)
                        .getCopyAPI()
                        .copyIn("COPY plain_job (id, due_at) FROM STDIN", new StringReader(rows.toString()));
            } catch (SQLException | IOException error) {
                throw gaveWay(error);
            }
        }

        private JobId newId() {
            return JobId.create(System.currentTimeMillis(), random);
        }

        private static IllegalStateException gaveWay(Exception error) {
            return new IllegalStateException("Plain SQL failed.", error);
        }

        /** Each thread reads once more at the end. These reads must end before the database is dropped. */
        @Override
        public void close() {
            threads.shutdownNow();
            try {
                if (!threads.awaitTermination(10, TimeUnit.SECONDS)) {
                    throw new IllegalStateException("The threads of plain SQL have not ended within 10 s.");
                }
            } catch (InterruptedException stopped) {
                Thread.currentThread().interrupt();
            }
        }
    }
}
