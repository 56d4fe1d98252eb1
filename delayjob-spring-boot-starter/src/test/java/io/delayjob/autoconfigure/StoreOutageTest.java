package io.delayjob.autoconfigure;

import static java.time.Duration.ofHours;
import static java.time.Duration.ofSeconds;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.awaitility.Awaitility.await;

import io.delayjob.DelayJobOperations;
import io.delayjob.annotation.DelayedJob;
import io.delayjob.handler.JobContext;
import io.delayjob.jdbc.TestPostgresServer;
import io.delayjob.job.JobState;
import io.delayjob.job.Scheduled;
import io.delayjob.redis.TestRedisServer;
import io.delayjob.spring.DelayJobStore;
import io.delayjob.spring.DelayJobStores;
import io.delayjob.spring.StoreSelector;
import io.delayjob.store.StoreException;
import java.io.IOException;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
import org.springframework.boot.WebApplicationType;
import org.springframework.boot.autoconfigure.EnableAutoConfiguration;
import org.springframework.boot.builder.SpringApplicationBuilder;
import org.springframework.context.ConfigurableApplicationContext;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Configuration;
import org.springframework.context.annotation.Import;
import org.springframework.transaction.support.TransactionTemplate;

/** One application with two PostgreSQL servers and one Redis. One of the three is killed and comes back. */
class StoreOutageTest {

    private static final Logger log = LoggerFactory.getLogger(StoreOutageTest.class);

    private static final List<String> STORES = List.of("default", "eu", "fast");
    private static final int JOBS = Integer.getInteger("delayjob.test.outage-jobs", 6_000);
    private static final int BATCH = 1_500;
    private static final int JOBS_A_SECOND = 1_000;
    private static final int JOBS_OF_THE_OUTAGE = JOBS / 15;
    private static final Duration PATIENCE = ofSeconds(240);

    /** On an idle machine some milliseconds; a build on a busy one may stall for seconds. */
    private static final Duration LATENESS = ofSeconds(10);

    private TestPostgresServer postgres;
    private TestPostgresServer europe;
    private TestRedisServer redis;
    private ConfigurableApplicationContext application;
    private DelayJobOperations jobs;
    private Work work;

    @BeforeEach
    void start() throws IOException {
        postgres = TestPostgresServer.start(Map.of());
        europe = TestPostgresServer.start(Map.of());
        redis = TestRedisServer.start("--appendonly", "yes");
        application = new SpringApplicationBuilder(Application.class)
                .web(WebApplicationType.NONE)
                .properties(
                        "spring.datasource.url=" + postgres.url("postgres"),
                        "delayjob.jdbc.initialize-schema=always",
                        "delayjob.stores.eu.url=" + europe.url("postgres"),
                        "delayjob.stores.fast.url=redis://127.0.0.1:" + redis.port())
                .run();
        jobs = application.getBean(DelayJobOperations.class);
        work = application.getBean(Work.class);
    }

    @AfterEach
    void stop() {
        application.close();
        redis.close();
        europe.close();
        postgres.close();
    }

    @ParameterizedTest
    @ValueSource(strings = {"eu", "fast"})
    void otherStores_startTheirJobsOnTimeWhileOneIsAway_andAllJobsEnd(String killed) {
        for (int first = 0; first < JOBS; first += BATCH) {
            List<Scheduled> scheduled = jobs.schedule(Work::done)
                    .withEach(IntStream.range(first, first + BATCH).boxed().toList())
                    .key(number -> number)
                    .spreadOver(ofSeconds(JOBS / JOBS_A_SECOND))
                    .after(ofSeconds(5));
            assertThat(scheduled).hasSize(BATCH);
        }
        for (String store : STORES) {
            await().atMost(PATIENCE)
                    .untilAsserted(() -> assertThat(work.of(store)).hasSizeGreaterThan(500));
        }

        kill(killed);
        List<String> others =
                STORES.stream().filter(store -> !store.equals(killed)).toList();
        Map<String, Integer> before = others.stream()
                .collect(
                        Collectors.toMap(store -> store, store -> work.of(store).size()));
        before.forEach((store, count) -> await().atMost(PATIENCE)
                .untilAsserted(() -> assertThat(work.of(store))
                        .hasSizeGreaterThanOrEqualTo(Math.min(count + JOBS_OF_THE_OUTAGE, JOBS / STORES.size()))));
        int whileAway = work.of(killed).size();
        startAgain(killed);

        DelayJobStores stores = application.getBean(DelayJobStores.class);
        for (String store : STORES) {
            await().atMost(PATIENCE)
                    .ignoreExceptionsInstanceOf(StoreException.class)
                    .untilAsserted(() -> assertThat(finished(stores.get(store))).isEqualTo(JOBS / STORES.size()));
            assertThat(work.of(store)).hasSize(JOBS / STORES.size());
        }
        log.warn(
                "Lateness p99 with '{}' killed: {}; {} of its jobs had run when its server came back",
                killed,
                STORES.stream().map(store -> store + " " + p99(store)).toList(),
                whileAway);
        assertThat(whileAway).isLessThan(JOBS / STORES.size());
        assertThat(others).allSatisfy(store -> assertThat(p99(store)).isLessThan(LATENESS));
    }

    private void kill(String store) {
        if (store.equals("eu")) {
            europe.kill();
        } else {
            redis.kill();
        }
    }

    private void startAgain(String store) {
        if (store.equals("eu")) {
            europe.startAgain();
        } else {
            redis.startAgain();
        }
    }

    private static long finished(DelayJobStore store) {
        return store.store().counts(store.clock().storeTime()).in(JobState.FINISHED);
    }

    private Duration p99(String store) {
        List<Duration> sorted = work.of(store).values().stream().sorted().toList();
        return sorted.get(sorted.size() * 99 / 100);
    }

    @Test
    void transactionOfOneStore_refusesOrHoldsBackCallsToOthers() {
        TransactionTemplate ofDefault = application.getBean(TransactionTemplate.class);

        assertThatThrownBy(() -> ofDefault.executeWithoutResult(
                        status -> jobs.in("eu").schedule(Work::done).with(1).after(ofHours(1))))
                .isInstanceOf(StoreException.class)
                .hasMessageContaining("@Transactional(\"eu\")");
        Scheduled rolledBack = ofDefault.execute(status -> {
            status.setRollbackOnly();
            return jobs.in("fast").schedule(Work::done).with(2).after(ofHours(1));
        });
        Scheduled committed = ofDefault.execute(
                status -> jobs.in("fast").schedule(Work::done).with(3).after(ofHours(1)));

        assertThat(committed.outcome()).isEqualTo(Scheduled.Outcome.ON_COMMIT);
        assertThat(jobs.find(committed.id())).isPresent();
        assertThat(jobs.find(rolledBack.id())).isEmpty();
    }

    @Configuration(proxyBeanMethods = false)
    @EnableAutoConfiguration
    @Import(Work.class)
    static class Application {

        @Bean
        StoreSelector byNumber() {
            return (handler, key) -> key == null ? "default" : storeOf(Integer.parseInt(key));
        }
    }

    private static String storeOf(int number) {
        return STORES.get(number % STORES.size());
    }

    static class Work {
        private final Map<String, Map<Integer, Duration>> latenesses = new ConcurrentHashMap<>();

        /** Keeps the lateness of the first attempt. */
        @DelayedJob("work")
        public void done(int number, JobContext job) {
            of(storeOf(number)).putIfAbsent(number, Duration.between(job.plannedAt(), Instant.now()));
        }

        Map<Integer, Duration> of(String store) {
            return latenesses.computeIfAbsent(store, name -> new ConcurrentHashMap<>());
        }
    }
}
