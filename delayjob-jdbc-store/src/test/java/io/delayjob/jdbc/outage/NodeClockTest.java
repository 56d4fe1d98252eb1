package io.delayjob.jdbc.outage;

import static org.assertj.core.api.Assertions.assertThat;

import io.delayjob.job.Scheduled;
import io.delayjob.time.StoreClock;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.atomic.AtomicLong;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.parallel.Isolated;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** The wall clock of an instance's machine is wrong, or is set while it works: only the database's clock counts. */
@Isolated("it judges how late jobs are")
@Timeout(180)
class NodeClockTest {

    private final AtomicLong ahead = new AtomicLong();

    private Scene start() {
        return Scene.scene()
                .clock(store -> new StoreClock(store::clockMicros, () -> System.currentTimeMillis() + ahead.get()))
                .start();
    }

    @ParameterizedTest
    @ValueSource(strings = {"PT1H", "PT-1H"})
    void dueTimesAreTheDatabases(Duration wrong) {
        ahead.set(wrong.toMillis());
        try (Scene scene = start()) {
            long before = databaseMillis(scene);
            Scheduled scheduled =
                    scene.engine.jobs().schedule("note").with(List.of(0L)).after(Duration.ofMinutes(30));
            long after = databaseMillis(scene);

            long due = scene.database.queryForObject(
                    "SELECT due_at FROM delayjob_job WHERE id = ?",
                    Long.class,
                    scheduled.id().value());
            // Store time is known as a lower bound, by as much as its reading took.
            assertThat(due - Duration.ofMinutes(30).toMillis()).isBetween(before - 2_000, after + 1);
        }
    }

    @Test
    void clockThatIsSetWhileJobsComeDueDelaysNoneAndStartsNoneEarly() throws Exception {
        int jobs = 400;
        try (Scene scene = start()) {
            scene.awaitHealth();
            scene.schedule(jobs, Duration.ofMillis(5));
            scene.runs().awaitStarts(100);
            ahead.set(Duration.ofHours(1).toMillis());
            scene.runs().awaitStarts(200);
            ahead.set(Duration.ofHours(-1).toMillis());
            scene.runs().awaitStarts(300);
            ahead.set(0);

            scene.runs().assertEachOf(jobs, 0);
            assertThat(scene.engine.status().number())
                    .as("never given up for silent")
                    .isEqualTo(1);
            assertThat(scene.runs().latenesses())
                    .last()
                    .satisfies(latest -> assertThat(latest).isLessThan(Duration.ofMillis(1_500)));
        }
    }

    private static long databaseMillis(Scene scene) {
        return scene.database.queryForObject(
                "SELECT CAST(FLOOR(EXTRACT(EPOCH FROM clock_timestamp()) * 1000) AS BIGINT)", Long.class);
    }
}
