package io.delayjob.autoconfigure;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import io.delayjob.DelayJobEngine;
import io.delayjob.DelayJobOperations;
import io.delayjob.annotation.DelayedJob;
import io.delayjob.event.JobListener;
import io.delayjob.job.JobId;
import io.delayjob.job.JobState;
import io.delayjob.job.Partition;
import io.delayjob.settings.EngineSettings;
import java.time.Duration;
import java.util.List;
import java.util.UUID;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.TimeUnit;
import java.util.stream.IntStream;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.springframework.boot.autoconfigure.AutoConfigurations;
import org.springframework.boot.autoconfigure.task.TaskExecutionAutoConfiguration;
import org.springframework.boot.jackson.autoconfigure.JacksonAutoConfiguration;
import org.springframework.boot.jdbc.autoconfigure.DataSourceAutoConfiguration;
import org.springframework.boot.jdbc.autoconfigure.DataSourceTransactionManagerAutoConfiguration;
import org.springframework.boot.jdbc.autoconfigure.JdbcTemplateAutoConfiguration;
import org.springframework.boot.test.context.runner.ApplicationContextRunner;
import org.springframework.boot.transaction.autoconfigure.TransactionAutoConfiguration;
import org.springframework.context.ConfigurableApplicationContext;
import org.springframework.core.task.AsyncTaskExecutor;
import org.springframework.jdbc.core.JdbcTemplate;

/** Contexts that are paused, closed, and beside each other. */
class ApplicationLifecycleTest {

    private final ApplicationContextRunner contexts = new ApplicationContextRunner()
            .withConfiguration(AutoConfigurations.of(
                    DelayJobAutoConfiguration.class,
                    DelayJobJdbcAutoConfiguration.class,
                    DelayJobMemoryAutoConfiguration.class,
                    DelayJobThreadsAutoConfiguration.class,
                    DataSourceAutoConfiguration.class,
                    DataSourceTransactionManagerAutoConfiguration.class,
                    TransactionAutoConfiguration.class,
                    TaskExecutionAutoConfiguration.class,
                    JdbcTemplateAutoConfiguration.class,
                    JacksonAutoConfiguration.class))
            .withUserConfiguration(Greeter.class);

    private final ApplicationContextRunner sharing = contexts.withPropertyValues(
            "spring.datasource.url=jdbc:h2:mem:%s;DB_CLOSE_DELAY=-1".formatted(UUID.randomUUID()),
            "delayjob.jdbc.initialize-schema=always");

    @Test
    void pausedContext_runsNothingAndGoesOnAfterwards() {
        sharing.run(context -> {
            ConfigurableApplicationContext application = context.getSourceApplicationContext();
            DelayJobOperations jobs = context.getBean(DelayJobOperations.class);
            Greeter greeter = context.getBean(Greeter.class);
            for (String name : List.of("Ann", "Bob", "Cid")) {
                application.stop();
                assertThat(context.getBean(DelayJobEngine.class).status().running())
                        .isFalse();
                JobId id = jobs.schedule(Greeter::greet).with(name).now().id();
                assertThat(jobs.find(id)).get().satisfies(job -> {
                    assertThat(job.state()).isEqualTo(JobState.READY);
                    assertThat(job.attempt()).isZero();
                });
                assertThat(greeter.greeted).isEmpty();

                application.start();
                assertThat(greeter.greeted.poll(30, TimeUnit.SECONDS)).isEqualTo(name);
            }
        });
    }

    @Test
    void pausedContext_leavesItsJobsToTheOther() {
        sharing.run(paused -> sharing.run(other -> {
            paused.getSourceApplicationContext().stop();

            paused.getBean(DelayJobOperations.class)
                    .schedule(Greeter::greet)
                    .with("Ann")
                    .now();

            assertThat(other.getBean(Greeter.class).greeted.poll(30, TimeUnit.SECONDS))
                    .isEqualTo("Ann");
        }));
    }

    @Test
    void twoContextsInOneProcess_areTwoInstances() {
        sharing.run(one -> sharing.run(other -> {
            assertThat(one.getBean(EngineSettings.class).incarnation())
                    .isNotEqualTo(other.getBean(EngineSettings.class).incarnation());
            List<String> names =
                    IntStream.range(0, 50).mapToObj(n -> "guest " + n).toList();
            one.getBean(DelayJobOperations.class)
                    .schedule(Greeter::greet)
                    .withEach(names.subList(0, 25))
                    .now();
            other.getBean(DelayJobOperations.class)
                    .schedule(Greeter::greet)
                    .withEach(names.subList(25, 50))
                    .now();

            await().atMost(Duration.ofSeconds(30))
                    .untilAsserted(() -> assertThat(Stream.concat(
                                    one.getBean(Greeter.class).greeted.stream(),
                                    other.getBean(Greeter.class).greeted.stream()))
                            .as("each runs once, in whichever")
                            .containsExactlyInAnyOrderElementsOf(names));

            one.close();
            other.getBean(Greeter.class).greeted.clear();
            other.getBean(DelayJobOperations.class)
                    .schedule(Greeter::greet)
                    .with("the last guest")
                    .now();
            assertThat(other.getBean(Greeter.class).greeted.poll(30, TimeUnit.SECONDS))
                    .isEqualTo("the last guest");
        }));
    }

    @Test
    void contextsWithDatabasesOfTheirOwn_doNotMeet() {
        ApplicationContextRunner apart = contexts.withPropertyValues("spring.datasource.generate-unique-name=true");
        apart.run(one -> apart.run(other -> {
            JobId id = one.getBean(DelayJobOperations.class)
                    .schedule(Greeter::greet)
                    .with("Ann")
                    .now()
                    .id();

            assertThat(one.getBean(Greeter.class).greeted.poll(30, TimeUnit.SECONDS))
                    .isEqualTo("Ann");
            assertThat(other.getBean(DelayJobOperations.class).find(id)).isEmpty();
        }));
    }

    @Test
    void instanceThatOnlySchedules_leavesRunningToOthers() {
        sharing.withPropertyValues("delayjob.worker.enabled=false").run(scheduling -> {
            DelayJobOperations jobs = scheduling.getBean(DelayJobOperations.class);
            JobId id =
                    jobs.schedule(Greeter::greet).with("Ann").key("Ann").now().id();
            JobId cancelled =
                    jobs.schedule(Greeter::greet).with("Bob").key("Bob").now().id();
            jobs.cancel(Greeter::greet, "Bob");

            sharing.run(working -> {
                assertThat(working.getBean(Greeter.class).greeted.poll(30, TimeUnit.SECONDS))
                        .isEqualTo("Ann");
                assertThat(jobs.find(id))
                        .get()
                        .satisfies(job -> assertThat(job.attempt()).isEqualTo(1));
                assertThat(jobs.find(cancelled))
                        .get()
                        .satisfies(job -> assertThat(job.state()).isEqualTo(JobState.CANCELLED));
            });
            assertThat(scheduling.getBean(Greeter.class).greeted).isEmpty();
        });
    }

    /** Leases are handed back at the very beginning of the engine's stop; what it needs must be there until its end. */
    @Test
    void handlerThatIsUnderWayWhenTheContextCloses_stillHasWhatItNeeds() {
        sharing.withUserConfiguration(Worker.class).run(context -> {
            context.getBean(DelayJobOperations.class).schedule(Worker::work).now();
            Worker worker = context.getBean(Worker.class);
            assertThat(worker.started.await(30, TimeUnit.SECONDS)).isTrue();

            context.close();

            assertThat(worker.done).isCompletedWithValue("42 from the pool");
        });
    }

    static class Greeter {
        private final BlockingQueue<String> greeted = new LinkedBlockingQueue<>();

        @DelayedJob("greet")
        void greet(String name) {
            greeted.add(name);
        }
    }

    static class Worker implements JobListener {
        private final CountDownLatch started = new CountDownLatch(1);
        private final CountDownLatch stopping = new CountDownLatch(1);
        private final CompletableFuture<String> done = new CompletableFuture<>();
        private final JdbcTemplate jdbc;
        private final AsyncTaskExecutor pool;

        Worker(JdbcTemplate jdbc, AsyncTaskExecutor pool) {
            this.jdbc = jdbc;
            this.pool = pool;
        }

        @DelayedJob("work")
        void work() {
            started.countDown();
            try {
                stopping.await();
                int read = jdbc.queryForObject("SELECT 42", Integer.class);
                done.complete(pool.submit(() -> read + " from the pool").get());
            } catch (Exception failure) {
                done.completeExceptionally(failure);
            }
        }

        @Override
        public void leaseEnded(Partition partition, String reason) {
            if (reason.equals("stopping")) {
                stopping.countDown();
            }
        }
    }
}
