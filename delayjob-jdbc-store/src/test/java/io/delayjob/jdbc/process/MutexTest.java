package io.delayjob.jdbc.process;

import static org.assertj.core.api.Assertions.assertThat;

import com.zaxxer.hikari.HikariDataSource;
import io.delayjob.event.JobListener;
import io.delayjob.handler.Handler;
import io.delayjob.jdbc.TestEngine;
import io.delayjob.jdbc.TestPostgres;
import io.delayjob.jdbc.TestSchema;
import io.delayjob.settings.EngineSettings;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Queue;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;

/** Instances that share mutexes on PostgreSQL, on real threads and in real time. */
class MutexTest {

    private static final int INSTANCES = 3;
    private static final int MUTEXES = 12;
    private static final int JOBS = 1_200;

    private final List<AtomicInteger> running =
            IntStream.range(0, MUTEXES).mapToObj(i -> new AtomicInteger()).toList();
    private final Queue<String> overlaps = new ConcurrentLinkedQueue<>();
    private final ConcurrentHashMap<Object, Boolean> done = new ConcurrentHashMap<>();
    private final CountDownLatch all = new CountDownLatch(JOBS);

    @Test
    void threeInstances_ofWhichOneStops_runAllJobs_andNoTwoOfOneMutex() throws InterruptedException {
        Handler handler = Handler.named("job").calls((arguments, job) -> {
            int mutex = Math.floorMod(Integer.parseInt(job.key()), MUTEXES);
            if (running.get(mutex).incrementAndGet() > 1) {
                overlaps.add("mutex " + mutex + " is taken twice");
            }
            return CompletableFuture.runAsync(
                    () -> {
                        running.get(mutex).decrementAndGet();
                        if (done.put(job.key(), true) == null) {
                            all.countDown();
                        }
                    },
                    CompletableFuture.delayedExecutor(3, TimeUnit.MILLISECONDS));
        });
        List<TestEngine> engines = new ArrayList<>();
        try (HikariDataSource pool = TestPostgres.newDatabase(60)) {
            TestSchema.apply(pool);
            try {
                for (int i = 0; i < INSTANCES; i++) {
                    engines.add(new TestEngine(pool, settings(i), new JobListener() {}, handler));
                    engines.get(i).start();
                }
                for (int i = 0; i < JOBS; i++) {
                    engines.get(i % INSTANCES)
                            .jobs()
                            .schedule("job")
                            .key(i)
                            .mutex("mutex-" + i % MUTEXES)
                            .after(Duration.ofMillis(5L * i));
                }
                engines.get(2).stop();
                assertThat(all.await(120, TimeUnit.SECONDS)).as("all jobs run").isTrue();
                assertThat(overlaps).isEmpty();
            } finally {
                engines.forEach(TestEngine::close);
            }
        }
    }

    private static EngineSettings settings(int instance) {
        return EngineSettings.defaults("mutex-" + instance + "#1").toBuilder()
                .leaseDuration(Duration.ofSeconds(3))
                .build();
    }
}
