package io.delayjob.jdbc;

import static org.assertj.core.api.Assertions.assertThat;

import com.zaxxer.hikari.HikariDataSource;
import io.delayjob.event.JobListener;
import io.delayjob.handler.Handler;
import io.delayjob.handler.PayloadParameter;
import io.delayjob.job.Job;
import io.delayjob.job.JobId;
import io.delayjob.job.JobOutcome;
import io.delayjob.job.JobState;
import io.delayjob.job.Transition;
import io.delayjob.settings.EngineSettings;
import io.delayjob.store.JobQuery;
import java.time.Duration;
import java.util.List;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.springframework.jdbc.core.JdbcTemplate;

/**
 * A payload that another application wrote and that no heap here could hold. The driver is told to refuse answers of
 * more than some megabytes, as it does by itself when memory runs out.
 */
class PostgreSqlOversizePayloadTest {

    private static final int NEIGHBOURS = 60;
    private static final int BYTES = 100_000_000;

    private final Set<Long> ran = ConcurrentHashMap.newKeySet();
    private final CountDownLatch neighbours = new CountDownLatch(NEIGHBOURS);
    private final CountDownLatch failed = new CountDownLatch(1);
    private HikariDataSource pool;
    private TestEngine engine;

    @BeforeEach
    void makeDatabase() {
        HikariDataSource roomy = TestPostgres.newStore();
        pool = new HikariDataSource();
        roomy.copyStateTo(pool);
        roomy.close();
        pool.addDataSourceProperty("maxResultBuffer", "10M");
    }

    @AfterEach
    void close() {
        engine.close();
        pool.close();
    }

    @Test
    void payloadLargerThanTheHeap_isParkedAndItsNeighboursRun() throws InterruptedException {
        JobId oversize = start(Duration.ofDays(1));

        assertThat(neighbours.await(60, TimeUnit.SECONDS))
                .as("neighbours ran: %s", ran)
                .isTrue();

        assertThat(engine.jobs().find(oversize))
                .get()
                .extracting(job -> job.state().isEnded(), job -> job.oversize() == null)
                .containsExactly(false, false);
    }

    @Test
    void payloadLargerThanTheHeap_isFailedWithItsLengthAndIsRetriedWithItsPayload() throws InterruptedException {
        JobId oversize = start(Duration.ZERO);

        assertThat(failed.await(60, TimeUnit.SECONDS)).as("failed").isTrue();

        Job dead = engine.jobs().find(JobQuery.all().state(JobState.FAILED)).stream()
                .findFirst()
                .orElseThrow();
        assertThat(dead.id()).isEqualTo(oversize);
        assertThat(dead.failure().message())
                .contains("100000002 bytes", "at most 1048576", "delayjob.payload.max-read-size");
        engine.stop();
        engine.jobs().retry(oversize);
        assertThat(new JdbcTemplate(pool)
                        .queryForObject(
                                "SELECT octet_length(payload) FROM delayjob_job WHERE id = ?",
                                Integer.class,
                                oversize.value()))
                .isEqualTo(BYTES + 2);
        engine.jobs().cancel(oversize);
        assertThat(engine.jobs().find(oversize)).get().extracting(Job::state).isEqualTo(JobState.CANCELLED);
    }

    /** All are due at once, so that they are claimed together. */
    private JobId start(Duration unreadableAfter) {
        engine = new TestEngine(
                pool,
                EngineSettings.defaults("oversize#1").toBuilder()
                        .unreadablePayloadAfter(unreadableAfter)
                        .build(),
                new JobListener() {
                    @Override
                    public void completed(Job job, JobOutcome outcome, Transition next, Duration took) {
                        if (outcome instanceof JobOutcome.Failed) {
                            failed.countDown();
                        }
                    }
                },
                Handler.named("neighbour")
                        .parameters(new PayloadParameter("number", long.class))
                        .calls((arguments, job) -> {
                            if (ran.add((Long) arguments.get(0))) {
                                neighbours.countDown();
                            }
                            return null;
                        }));
        JobId oversize = null;
        for (long number = 0; number <= NEIGHBOURS; number++) {
            JobId id = engine.jobs()
                    .schedule("neighbour")
                    .with(List.of(number))
                    .after(Duration.ofMillis(1))
                    .id();
            oversize = number == NEIGHBOURS / 2 ? id : oversize;
        }
        new JdbcTemplate(pool)
                .update(
                        "UPDATE delayjob_job SET payload = '\"' || repeat('x', ?) || '\"' WHERE id = ?",
                        BYTES,
                        oversize.value());
        engine.start();
        return oversize;
    }
}
