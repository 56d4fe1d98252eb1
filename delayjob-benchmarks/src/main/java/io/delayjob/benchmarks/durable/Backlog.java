package io.delayjob.benchmarks.durable;

import io.delayjob.EngineSettings;
import io.delayjob.EngineSettings.HistorySettings;
import java.sql.SQLException;
import java.time.Duration;

/** Due rows, written in bulk by SQL as if they had been scheduled a while ago. */
final class Backlog {

    private Backlog() {}

    static EngineSettings.Builder settings(Duration history) {
        return EngineSettings.defaults("bench#" + System.nanoTime()).toBuilder()
                .history(new HistorySettings(history, Duration.ofDays(7), Duration.ofDays(30)));
    }

    /** Lays {@code jobs} rows behind one that the engine itself has written, which thereby names their queue. */
    static void insert(BenchDatabase database, BenchEngine engine, int jobs) throws SQLException {
        engine.jobs().schedule(BenchEngine.NOOP).now();
        database.execute("""
                INSERT INTO delayjob_job (id, partition_id, state, cancel_requested, token, due_at, planned_at,
                    scheduled_at, owner, run, attempt, failures, rescues, in_doubt, name)
                SELECT gen_random_uuid(), (j.partition_id / 1024) * 1024 + n %% 8, j.state, j.cancel_requested,
                    j.token + n, j.due_at, j.planned_at, j.scheduled_at, j.owner, j.run, j.attempt, j.failures,
                    j.rescues, j.in_doubt, j.name
                FROM delayjob_job j, generate_series(1, %d) AS n
                """.formatted(jobs - 1));
        database.execute("VACUUM ANALYZE delayjob_job");
    }
}
