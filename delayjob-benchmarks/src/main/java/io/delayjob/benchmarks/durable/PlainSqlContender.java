package io.delayjob.benchmarks.durable;

import io.delayjob.jdbc.dialect.Dialect;
import java.sql.Connection;
import java.sql.PreparedStatement;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Statement;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.UUID;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import javax.sql.DataSource;

/**
 * No scheduler but a floor: what the server can do for whoever writes and claims rows of the least that a job needs, in
 * plain JDBC. It has no rescue, no retry, no limits and no handlers, waits for nothing, and ends once nothing is due
 * any more.
 */
record PlainSqlContender() implements Contender {

    private static final int BATCH = 500;
    private static final int WRITTEN_AT_ONCE = 10_000;
    private static final int CONNECTIONS = 2;

    @Override
    public String tables(Dialect dialect) {
        return """
                CREATE TABLE plain_job (id UUID PRIMARY KEY, due_at TIMESTAMPTZ NOT NULL, owner INTEGER, payload TEXT);
                CREATE INDEX plain_job_due ON plain_job (due_at);
                """;
    }

    @Override
    public Instance open(DataSource dataSource, Work work, int number) {
        return new Running(dataSource, work, Executors.newFixedThreadPool(CONNECTIONS));
    }

    @Override
    public String unfinished() {
        return "SELECT 1 FROM plain_job WHERE due_at <= clock_timestamp() LIMIT 1";
    }

    @Override
    public String configuration() {
        return "the floor: claims and deletes %d rows at a time through %d connections".formatted(BATCH, CONNECTIONS);
    }

    private record Running(DataSource dataSource, Work work, ExecutorService threads) implements Instance {

        @Override
        public void start() {
            for (int i = 0; i < CONNECTIONS; i++) {
                threads.execute(this::drain);
            }
        }

        private void drain() {
            try (Connection connection = dataSource.getConnection()) {
                connection.setAutoCommit(false);
                List<UUID> claimed;
                while (!(claimed = claim(connection)).isEmpty()) {
                    connection.commit();
                    for (UUID ignored : claimed) {
                        work.run(Instant.EPOCH);
                    }
                    delete(connection, claimed);
                    connection.commit();
                }
            } catch (SQLException error) {
                throw new IllegalStateException("The floor has given way.", error);
            } catch (InterruptedException stopped) {
                Thread.currentThread().interrupt();
            }
        }

        private static List<UUID> claim(Connection connection) throws SQLException {
            try (Statement claim = connection.createStatement();
                    ResultSet rows = claim.executeQuery("""
                            UPDATE plain_job SET owner = 1 WHERE id IN (
                                SELECT id FROM plain_job WHERE due_at <= clock_timestamp() AND owner IS NULL
                                ORDER BY due_at LIMIT %d FOR UPDATE SKIP LOCKED)
                            RETURNING id, due_at, payload
                            """.formatted(BATCH))) {
                List<UUID> claimed = new ArrayList<>(BATCH);
                while (rows.next()) {
                    claimed.add(rows.getObject(1, UUID.class));
                }
                return claimed;
            }
        }

        private static void delete(Connection connection, List<UUID> claimed) throws SQLException {
            try (PreparedStatement delete = connection.prepareStatement("DELETE FROM plain_job WHERE id = ANY(?)")) {
                delete.setArray(1, connection.createArrayOf("uuid", claimed.toArray()));
                delete.executeUpdate();
            }
        }

        @Override
        public void schedule(Instant due) {
            write(List.of(due));
        }

        @Override
        public void scheduleAll(List<Instant> due) {
            for (int from = 0; from < due.size(); from += WRITTEN_AT_ONCE) {
                write(due.subList(from, Math.min(from + WRITTEN_AT_ONCE, due.size())));
            }
        }

        private void write(List<Instant> due) {
            try (Connection connection = dataSource.getConnection();
                    PreparedStatement insert = connection.prepareStatement(
                            "INSERT INTO plain_job (id, due_at) SELECT * FROM UNNEST(?, CAST(? AS TIMESTAMPTZ[]))")) {
                insert.setArray(
                        1,
                        connection.createArrayOf(
                                "uuid",
                                due.stream().map(each -> UUID.randomUUID()).toArray()));
                insert.setArray(
                        2,
                        connection.createArrayOf(
                                "text", due.stream().map(Instant::toString).toArray()));
                insert.executeUpdate();
            } catch (SQLException error) {
                throw new IllegalStateException("The floor has given way.", error);
            }
        }

        @Override
        public void close() {
            threads.shutdownNow();
        }
    }
}
