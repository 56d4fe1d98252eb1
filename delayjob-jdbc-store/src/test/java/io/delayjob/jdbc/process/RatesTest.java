package io.delayjob.jdbc.process;

import static org.assertj.core.api.Assertions.assertThat;

import com.zaxxer.hikari.HikariDataSource;
import io.delayjob.event.JobListener;
import io.delayjob.handler.Handler;
import io.delayjob.handler.RateLimit;
import io.delayjob.jdbc.TestEngine;
import io.delayjob.jdbc.TestPostgres;
import io.delayjob.jdbc.TestSchema;
import io.delayjob.settings.EngineSettings;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Queue;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;

/** Instances that share a rate, on real threads and in real time. */
class RatesTest {

    private static final int INSTANCES = 3;
    private static final int JOBS = 600;
    private static final RateLimit RATE = RateLimit.of("120/s").burst(12);

    /** The time that a rate of 120/s needs for all but the burst, and one start of each instance. */
    private static final Duration SHORTEST = Duration.ofMillis((JOBS - 12 - INSTANCES) * 1_000L / 120);

    @Test
    void threeInstances_startAllJobs_andNoMoreThanTheRateTogether() throws InterruptedException {
        CountDownLatch calls = new CountDownLatch(JOBS);
        Handler handler = Handler.named("job").rate(RATE).calls((arguments, job) -> {
            calls.countDown();
            return null;
        });
        List<TestEngine> engines = new ArrayList<>();
        try (HikariDataSource pool = TestPostgres.newDatabase(60)) {
            TestSchema.apply(pool);
            try {
                for (int i = 0; i < INSTANCES; i++) {
                    engines.add(new TestEngine(pool, settings(i), new JobListener() {}, handler));
                    engines.get(i).start();
                }
                Instant due = Instant.now().plusSeconds(6);
                for (int i = 0; i < JOBS; i++) {
                    engines.get(i % INSTANCES).jobs().schedule("job").at(due);
                }
                assertThat(calls.await(120, TimeUnit.SECONDS)).isTrue();
                assertThat(Duration.between(due, Instant.now())).isGreaterThan(SHORTEST);
            } finally {
                engines.forEach(TestEngine::close);
            }
        }
    }

    @Test
    void threeInstances_ofWhichOneStops_startAllJobs_andNoMoreThanTheRateOfEachKey() throws InterruptedException {
        int keys = 6;
        RateLimit ofKey = RateLimit.of("20/s").burst(5);
        CountDownLatch calls = new CountDownLatch(JOBS);
        List<Queue<Instant>> starts = Stream.generate(() -> (Queue<Instant>) new ConcurrentLinkedQueue<Instant>())
                .limit(keys)
                .toList();
        Handler handler = Handler.named("job")
                .rate(ofKey)
                .rateBy(arguments -> "unused")
                .calls((arguments, job) -> {
                    starts.get(Integer.parseInt(job.key()) % keys).add(Instant.now());
                    calls.countDown();
                    return null;
                });
        List<TestEngine> engines = new ArrayList<>();
        try (HikariDataSource pool = TestPostgres.newDatabase(60)) {
            TestSchema.apply(pool);
            try {
                for (int i = 0; i < INSTANCES; i++) {
                    engines.add(new TestEngine(pool, settings(i), new JobListener() {}, handler));
                    engines.get(i).start();
                }
                Instant due = Instant.now().plusSeconds(6);
                for (int i = 0; i < JOBS; i++) {
                    engines.get(i % INSTANCES)
                            .jobs()
                            .schedule("job")
                            .key(i)
                            .rateKey("customer-" + i % keys)
                            .at(due);
                }
                engines.get(2).stop();
                assertThat(calls.await(120, TimeUnit.SECONDS)).isTrue();
                for (Queue<Instant> ofOneKey : starts) {
                    List<Instant> inOrder = ofOneKey.stream().sorted().toList();
                    Duration took = Duration.between(inOrder.get(0), inOrder.get(JOBS / keys - 1));
                    Duration shortest = Duration.ofMillis((JOBS / keys - 5 - 2) * 1_000L / 20);
                    // A late call only makes the end later.
                    assertThat(Duration.between(due, inOrder.get(JOBS / keys - 1)))
                            .isGreaterThan(shortest.minusMillis(500));
                    // The first calls may come late, because this machine pauses. With twice the rate, the jobs would
                    // take 2.45 s less.
                    assertThat(took).isGreaterThan(shortest.minusMillis(2_200));
                }
            } finally {
                engines.forEach(TestEngine::close);
            }
        }
    }

    private static EngineSettings settings(int instance) {
        return EngineSettings.defaults("rates-" + instance + "#1").toBuilder()
                .leaseDuration(Duration.ofSeconds(5))
                .build();
    }
}
