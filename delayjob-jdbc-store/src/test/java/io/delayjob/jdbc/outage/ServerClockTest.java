package io.delayjob.jdbc.outage;

import static org.assertj.core.api.Assertions.assertThat;

import com.zaxxer.hikari.HikariDataSource;
import io.delayjob.event.JobListener;
import io.delayjob.handler.Handler;
import io.delayjob.jdbc.TestEngine;
import io.delayjob.jdbc.TestPostgres;
import io.delayjob.jdbc.TestSchema;
import io.delayjob.settings.EngineSettings;
import java.time.Duration;
import java.util.function.BooleanSupplier;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.parallel.Isolated;
import org.springframework.jdbc.core.JdbcTemplate;

/** The clock of the database's server is set back, and an instance dies before it has renewed its leases. */
@Isolated("it judges how long partitions have no leader")
@Timeout(120)
class ServerClockTest {

    private static final Duration LEASE = Duration.ofSeconds(2);
    private static final Duration LIVENESS = Duration.ofSeconds(3);

    @Test
    void clockSetBack_partitionsOfAnInstanceThatIsGoneAreLedAfterAFewLeases() throws Exception {
        try (HikariDataSource pool = TestPostgres.newDatabase(10)) {
            TestSchema.apply(pool);
            JdbcTemplate database = new JdbcTemplate(pool);
            try (TestEngine staying = engine(pool, "staying#1");
                    HikariDataSource cutOff = poolOf(pool.getJdbcUrl());
                    TestEngine dying = engine(cutOff, "dying#1")) {
                staying.start();
                dying.start();
                await(() -> led(staying) == 4 && led(dying) == 4, Duration.ofSeconds(30));

                // Its process ends without handing anything back: no connection reaches the server any more.
                cutOff.close();
                // What the table shows once the server's clock was set back by an hour.
                int leases = database.update(
                        "UPDATE shedlock SET lock_until = lock_until + INTERVAL '1 hour' WHERE locked_by = 'dying#1'");
                assertThat(leases).isEqualTo(4);

                // It takes a few leases and the pauses of this machine. By its own clock, a lease would end after an
                // hour.
                await(() -> led(staying) == 8, Duration.ofSeconds(30));
            }
        }
    }

    private static HikariDataSource poolOf(String url) {
        HikariDataSource pool = new HikariDataSource();
        pool.setJdbcUrl(url);
        return pool;
    }

    private static TestEngine engine(HikariDataSource pool, String incarnation) {
        return new TestEngine(
                pool,
                EngineSettings.defaults(incarnation).toBuilder()
                        .leaseDuration(LEASE)
                        .liveness(LIVENESS)
                        .heartbeat(LIVENESS.dividedBy(6))
                        .build(),
                new JobListener() {},
                Handler.named("note").calls((arguments, job) -> null));
    }

    private static int led(TestEngine engine) {
        return engine.status().led().size();
    }

    /** The status is asked for, not told: so it is asked again and again. */
    private synchronized void await(BooleanSupplier expected, Duration patience) throws InterruptedException {
        long began = System.nanoTime();
        while (!expected.getAsBoolean()) {
            assertThat(Duration.ofNanos(System.nanoTime() - began)).isLessThan(patience);
            wait(5);
        }
    }
}
