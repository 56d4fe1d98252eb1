package io.delayjob.autoconfigure;

import static java.time.Duration.ofHours;
import static java.time.Duration.ofMillis;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.awaitility.Awaitility.await;

import io.delayjob.DelayJobOperations;
import io.delayjob.annotation.DelayedJob;
import io.delayjob.job.CancelResult;
import io.delayjob.job.JobId;
import io.delayjob.job.JobState;
import io.delayjob.job.Scheduled;
import io.delayjob.redis.TestRedisServer;
import io.delayjob.store.StoreException;
import io.lettuce.core.KillArgs;
import io.lettuce.core.RedisClient;
import io.lettuce.core.api.StatefulRedisConnection;
import io.lettuce.core.api.sync.RedisCommands;
import java.time.Duration;
import java.util.List;
import java.util.Queue;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.function.Function;
import java.util.stream.IntStream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.springframework.boot.WebApplicationType;
import org.springframework.boot.autoconfigure.EnableAutoConfiguration;
import org.springframework.boot.builder.SpringApplicationBuilder;
import org.springframework.context.ConfigurableApplicationContext;
import org.springframework.context.annotation.Configuration;
import org.springframework.context.annotation.Import;
import org.springframework.jdbc.core.JdbcTemplate;
import org.springframework.transaction.support.TransactionTemplate;

/** An application with its data in H2 and its jobs in Redis, as Spring Boot puts it together. */
class RedisApplicationTest {

    private static final Duration PATIENCE = Duration.ofSeconds(60);

    private final TestRedisServer server = TestRedisServer.start("--appendonly", "yes");
    private ConfigurableApplicationContext application;
    private DelayJobOperations jobs;
    private Letters letters;

    @BeforeEach
    void start() {
        application = new SpringApplicationBuilder(Post.class)
                .web(WebApplicationType.NONE)
                .properties(
                        "spring.datasource.generate-unique-name=true",
                        "delayjob.store=redis",
                        "spring.data.redis.timeout=2s",
                        "spring.data.redis.url=redis://127.0.0.1:" + server.port())
                .run();
        jobs = application.getBean(DelayJobOperations.class);
        letters = application.getBean(Letters.class);
        application.getBean(JdbcTemplate.class).execute("CREATE TABLE orders (id INT)");
    }

    @AfterEach
    void stop() {
        application.close();
        server.close();
    }

    private void awaitSent(String... expected) {
        await().atMost(PATIENCE).untilAsserted(() -> assertThat(letters.sent).contains(expected));
    }

    private JobState stateOf(JobId id) {
        return jobs.find(id).orElseThrow().state();
    }

    @Test
    void job_runsAndIsFinished() {
        JobId id = jobs.schedule(Letters::send).with("Ann").after(ofMillis(200)).id();

        awaitSent("Ann");

        await().atMost(PATIENCE).untilAsserted(() -> assertThat(stateOf(id)).isEqualTo(JobState.FINISHED));
        assertThat(letters.sent).containsExactly("Ann");
    }

    @Test
    void cancelledJob_neverRuns() {
        Scheduled scheduled =
                jobs.schedule(Letters::send).with("Ann").key("ann").after(ofHours(1));

        assertThat(jobs.cancel(Letters::send, "ann")).isEqualTo(CancelResult.CANCELLED);

        assertThat(stateOf(scheduled.id())).isEqualTo(JobState.CANCELLED);
    }

    @Test
    void transaction_decidesAboutItsJobs() {
        TransactionTemplate transaction = application.getBean(TransactionTemplate.class);

        JobId committed = transaction.execute(status -> {
            application.getBean(JdbcTemplate.class).update("INSERT INTO orders VALUES (1)");
            JobId id = jobs.schedule(Letters::send).with("committed").now().id();
            assertThat(jobs.find(id)).isEmpty();
            return id;
        });
        JobId rolledBack = transaction.execute(status -> {
            status.setRollbackOnly();
            return jobs.schedule(Letters::send).with("rolled back").now().id();
        });

        awaitSent("committed");
        assertThat(jobs.find(committed)).isPresent();
        assertThat(jobs.find(rolledBack)).isEmpty();
        assertThat(letters.sent).containsExactly("committed");
    }

    @Test
    void transactionWhoseServerIsGone_rollsBack() {
        TransactionTemplate transaction = application.getBean(TransactionTemplate.class);
        JdbcTemplate jdbc = application.getBean(JdbcTemplate.class);

        assertThatThrownBy(() -> transaction.executeWithoutResult(status -> {
                    jdbc.update("INSERT INTO orders VALUES (1)");
                    jobs.schedule(Letters::send).with("Ann").now();
                    server.kill();
                }))
                .isInstanceOf(StoreException.class);

        assertThat(jdbc.queryForObject("SELECT COUNT(*) FROM orders", Integer.class))
                .isZero();
    }

    @Test
    void jobs_goOnAfterAllConnectionsWereKilled() {
        jobs.schedule(Letters::send).with("before").now();
        awaitSent("before");

        killConnections();

        await().atMost(PATIENCE).ignoreExceptions().until(() -> {
            jobs.schedule(Letters::send).with("after").now();
            return true;
        });
        awaitSent("after");
    }

    private void killConnections() {
        long killed =
                ask(redis -> redis.clientKill(KillArgs.Builder.typeNormal().skipme()));
        assertThat(killed).isPositive();
    }

    private <T> T ask(Function<RedisCommands<String, String>, T> question) {
        RedisClient client = RedisClient.create(server.uri());
        try (StatefulRedisConnection<String, String> connection = client.connect()) {
            return question.apply(connection.sync());
        } finally {
            client.shutdown(Duration.ZERO, Duration.ZERO);
        }
    }

    /** The guide to Redis gives this figure for sizing. */
    @Test
    void waitingJob_takesAtMost420BytesOfMemory() {
        int calls = 40;
        List<String> letters = IntStream.range(0, 500)
                .mapToObj("a payload of thirty-nine letters: %05d"::formatted)
                .toList();
        long before = usedMemory();

        for (int call = 0; call < calls; call++) {
            jobs.schedule(Letters::send).withEach(letters).after(Duration.ofDays(1));
        }

        assertThat((usedMemory() - before) / (calls * letters.size())).isBetween(250L, 420L);
    }

    /** Without the buffers of the clients, which come and go. */
    private long usedMemory() {
        String memory = ask(redis -> redis.info("memory"));
        return bytes(memory, "used_memory") - bytes(memory, "mem_clients_normal");
    }

    private static long bytes(String memory, String field) {
        return memory.lines()
                .filter(line -> line.startsWith(field + ":"))
                .mapToLong(line ->
                        Long.parseLong(line.substring(line.indexOf(':') + 1).strip()))
                .sum();
    }

    @Configuration(proxyBeanMethods = false)
    @EnableAutoConfiguration
    @Import(Letters.class)
    static class Post {}

    static class Letters {

        private final Queue<String> sent = new ConcurrentLinkedQueue<>();

        @DelayedJob("send-letter")
        void send(String to) {
            sent.add(to);
        }
    }
}
