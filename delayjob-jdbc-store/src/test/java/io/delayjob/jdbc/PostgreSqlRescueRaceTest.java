package io.delayjob.jdbc;

import static org.assertj.core.api.Assertions.assertThat;

import com.zaxxer.hikari.HikariDataSource;
import io.delayjob.job.DueRow;
import io.delayjob.job.JobId;
import io.delayjob.job.JobState;
import java.sql.Connection;
import java.sql.Statement;
import java.util.List;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.springframework.jdbc.core.JdbcTemplate;
import org.springframework.jdbc.support.JdbcTransactionManager;

/** Two rescue the same row, and between the look of the slower one and its lock somebody has claimed it. */
@Timeout(120)
class PostgreSqlRescueRaceTest {

    private static final String WAITING_AT_THE_GATE =
            "SELECT COUNT(*) FROM pg_locks WHERE locktype = 'advisory' AND NOT granted";

    @Test
    void rowThatWasRescuedAndClaimedMeanwhile_isLeftToItsNewOwner() throws Exception {
        try (HikariDataSource pool = TestPostgres.newStore();
                JdbcJobStore store = JdbcJobStore.builder(pool, new JdbcTransactionManager(pool))
                        .build();
                Connection gatekeeper = pool.getConnection();
                Statement gate = gatekeeper.createStatement()) {
            JdbcTemplate jdbc = new JdbcTemplate(pool);
            JobMaker jobs = new JobMaker(store);
            JobId id = jobs.submit(jobs.job()).id();
            long dead = store.instances().register("dead", Set.of("default"), Set.of());
            long alive = store.instances().register("alive", Set.of("default"), Set.of());
            store.claim(jobs.handedOver, dead, jobs.token(), JobMaker.NOW);
            store.instances().deregister(dead);
            holdLooksAtInstancesUp(jdbc);
            gate.execute("SELECT pg_advisory_lock(1)");

            CompletableFuture<List<DueRow>> slower =
                    CompletableFuture.supplyAsync(() -> store.rescue(jobs.lost(), JobMaker.NOW, jobs.token()));
            while (!slower.isDone() && jdbc.queryForObject(WAITING_AT_THE_GATE, Integer.class) == 0) {
                Thread.onSpinWait();
            }
            jdbc.update("UPDATE delayjob_job SET token = token + 1, owner = ?, attempt = attempt + 1", alive);
            gate.execute("SELECT pg_advisory_unlock(1)");

            assertThat(slower.get(30, TimeUnit.SECONDS)).isEmpty();
            assertThat(store.find(id)).get().satisfies(job -> {
                assertThat(job.state()).isEqualTo(JobState.RUNNING);
                assertThat(job.owner()).isEqualTo(alive);
            });
        }
    }

    /** Whoever reads the register from now on waits, within his statement, as long as the lock is held. */
    private static void holdLooksAtInstancesUp(JdbcTemplate jdbc) {
        jdbc.execute("""
                CREATE FUNCTION gate() RETURNS BOOLEAN LANGUAGE plpgsql VOLATILE AS
                $$ BEGIN PERFORM pg_advisory_xact_lock_shared(1); RETURN TRUE; END $$
                """);
        jdbc.execute("ALTER TABLE delayjob_instance RENAME TO registered");
        jdbc.execute("CREATE VIEW delayjob_instance AS SELECT * FROM registered WHERE gate() OFFSET 0");
    }
}
