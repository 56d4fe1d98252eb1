package io.delayjob.jdbc.outage;

import static org.assertj.core.api.Assertions.assertThat;

import java.time.Duration;
import java.util.List;
import java.util.UUID;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.parallel.Isolated;
import org.springframework.jdbc.core.JdbcTemplate;
import org.springframework.jdbc.support.JdbcTransactionManager;
import org.springframework.transaction.TransactionDefinition;
import org.springframework.transaction.support.TransactionTemplate;

/** Transactions of the application that stay open: one that keeps an old snapshot, and one that holds rows locked. */
@Isolated("it judges how late jobs are")
@Timeout(180)
class LongTransactionTest {

    @Test
    void neitherAnOldSnapshotNorLockedRowsDelayNeighbours() throws Exception {
        int jobs = 1_000;
        int locked = 10;
        try (Scene scene = Scene.scene().start()) {
            TransactionTemplate application = new TransactionTemplate(new JdbcTransactionManager(scene.pool));
            application.setIsolationLevel(TransactionDefinition.ISOLATION_REPEATABLE_READ);
            JdbcTemplate jdbc = new JdbcTemplate(scene.pool);
            scene.schedule(jobs, Duration.ofMillis(2));
            application.executeWithoutResult(status -> {
                List<UUID> held = jdbc.queryForList(
                        "SELECT id FROM delayjob_job WHERE state = 0 ORDER BY due_at DESC LIMIT ? FOR UPDATE",
                        UUID.class,
                        locked);
                assertThat(held).hasSize(locked);
                try {
                    scene.runs().awaitEnds(jobs - locked);
                } catch (InterruptedException stopped) {
                    throw new IllegalStateException(stopped);
                }
            });

            scene.runs().assertEachOf(jobs, 0);
            List<Duration> latenesses = scene.runs().latenesses();
            assertThat(latenesses.get(jobs / 2)).as("median").isLessThan(Duration.ofMillis(250));
        }
    }
}
