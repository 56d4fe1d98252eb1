package io.delayjob.proofs.chaos;

import io.delayjob.job.AnswerTicket;
import io.delayjob.job.JobId;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.UUID;
import org.springframework.jdbc.core.JdbcTemplate;

/**
 * The calls that await an answer, and the work of the answerer. Both are stored in tables, because processes are
 * killed.
 */
final class Calls {

    /**
     * The table {@code work} has no unique constraint, so only the transaction of the answer can prevent a second row.
     */
    static final List<String> TABLES = List.of("""
            CREATE TABLE call (
                id BIGSERIAL PRIMARY KEY,
                number BIGINT NOT NULL,
                job_id UUID NOT NULL,
                scheduled_at BIGINT NOT NULL,
                run INTEGER NOT NULL,
                attempt INTEGER NOT NULL,
                settled BOOLEAN NOT NULL DEFAULT FALSE)""", "CREATE INDEX call_open ON call (id) WHERE NOT settled", """
            CREATE TABLE work (job_id UUID NOT NULL, run INTEGER NOT NULL, attempt INTEGER NOT NULL)""");

    private static final int SHORTEST_WAIT_MILLIS = 500;
    private static final int WAITS_SPREAD_MILLIS = 1_500;
    private static final int SHORTEST_HOLD_MILLIS = 300;
    private static final int HOLDS_SPREAD_MILLIS = 900;

    /** @param number the number of the job */
    record Call(long id, long number, AnswerTicket ticket) {}

    record Work(JobId job, int run) {}

    private Calls() {}

    static Duration answerWithin(long number) {
        return Duration.ofMillis(SHORTEST_WAIT_MILLIS + number % WAITS_SPREAD_MILLIS);
    }

    static long holdMillis(long number) {
        return number % 2 == 0 ? SHORTEST_HOLD_MILLIS + number % HOLDS_SPREAD_MILLIS : 0;
    }

    static void accept(JdbcTemplate jdbc, long number, AnswerTicket ticket) {
        jdbc.update(
                "INSERT INTO call (number, job_id, scheduled_at, run, attempt) VALUES (?, ?, ?, ?, ?)",
                number,
                ticket.job().value(),
                ticket.scheduledAt().toEpochMilli(),
                ticket.run(),
                ticket.attempt());
    }

    static List<Call> open(JdbcTemplate jdbc) {
        return jdbc.query("SELECT * FROM call WHERE NOT settled ORDER BY id", (row, line) -> call(row));
    }

    static List<Call> latestOfCancelled(JdbcTemplate jdbc, int cancelled) {
        return jdbc.query("""
                SELECT DISTINCT ON (c.job_id) c.* FROM call c JOIN delayjob_history h ON h.id = c.job_id
                WHERE h.state = ? ORDER BY c.job_id, c.attempt DESC""", (row, line) -> call(row), cancelled);
    }

    static void settle(JdbcTemplate jdbc, Call call) {
        jdbc.update("UPDATE call SET settled = TRUE WHERE id = ?", call.id());
    }

    static void work(JdbcTemplate jdbc, AnswerTicket ticket) {
        jdbc.update("INSERT INTO work VALUES (?, ?, ?)", ticket.job().value(), ticket.run(), ticket.attempt());
    }

    static List<Work> work(JdbcTemplate jdbc) {
        return jdbc.query(
                "SELECT job_id, run FROM work",
                (row, line) -> new Work(new JobId(row.getObject("job_id", UUID.class)), row.getInt("run")));
    }

    private static Call call(ResultSet row) throws SQLException {
        return new Call(
                row.getLong("id"),
                row.getLong("number"),
                new AnswerTicket(
                        new JobId(row.getObject("job_id", UUID.class)),
                        Instant.ofEpochMilli(row.getLong("scheduled_at")),
                        row.getInt("run"),
                        row.getInt("attempt")));
    }
}
