package io.delayjob.messaging;

import static org.assertj.core.api.Assertions.assertThat;

import io.delayjob.DelayJobOperations;
import io.delayjob.autoconfigure.DelayJobJdbcAutoConfiguration;
import io.delayjob.handler.Handler;
import io.zonky.test.db.postgres.embedded.EmbeddedPostgres;
import java.io.IOException;
import java.lang.management.ManagementFactory;
import java.nio.file.Path;
import java.time.Duration;
import java.time.Instant;
import java.time.temporal.ChronoUnit;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.function.IntConsumer;
import java.util.stream.IntStream;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.springframework.boot.autoconfigure.ImportAutoConfiguration;
import org.springframework.boot.jdbc.autoconfigure.DataSourceAutoConfiguration;
import org.springframework.boot.jdbc.autoconfigure.DataSourceTransactionManagerAutoConfiguration;
import org.springframework.boot.jdbc.autoconfigure.JdbcTemplateAutoConfiguration;
import org.springframework.boot.kafka.autoconfigure.KafkaAutoConfiguration;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Configuration;

/**
 * How many jobs a second become records, and how late, with the jobs in PostgreSQL. Prints the figures of {@code
 * docs/messaging.md}. It checks only what holds on a busy machine, too: none is lost, and none is early.
 */
@Tag("kafka")
class KafkaSpeedTest {

    private static final int DRAINED = 20_000;
    private static final int A_SECOND = 200;
    private static final int SECONDS = 20;
    private static final Duration WARM_UP = Duration.ofSeconds(5);
    private static final Duration AHEAD = Duration.ofSeconds(20);

    private static KafkaBroker broker;
    private static EmbeddedPostgres database;

    @BeforeAll
    static void start(@TempDir Path directory) throws Exception {
        broker = new KafkaBroker(directory);
        database = EmbeddedPostgres.builder().start();
    }

    @AfterAll
    static void stop() throws IOException {
        broker.close();
        database.close();
    }

    private static Application application(String... properties) {
        List<String> all = new ArrayList<>(List.of(
                "delayjob.store=jdbc",
                "delayjob.jdbc.initialize-schema=always",
                "spring.datasource.url=" + database.getJdbcUrl("postgres", "postgres"),
                "spring.kafka.bootstrap-servers=" + broker.address()));
        all.addAll(List.of(properties));
        return Application.of(Speed.class, all.toArray(String[]::new));
    }

    @Test
    void throughput() throws Exception {
        broker.create("drained", 4);
        for (int round = 1; round <= 3; round++) {
            try (Application application = application(
                    "delayjob.targets.drained.kafka.topic=drained", "delayjob.queues.default.concurrency=500")) {
                DelayJobOperations jobs = application.jobs();
                Instant due = Instant.now().plus(AHEAD);
                inParallel(
                        DRAINED,
                        i -> jobs.schedule("drained")
                                .with(Map.of("body", Map.of("number", i)))
                                .at(due));
                assertThat(Instant.now())
                        .as("the time at which all are written")
                        .isBefore(due);
                application.awaitFinished(DRAINED);
                double seconds = Duration.between(due, Instant.now()).toMillis() / 1000.0;
                print("round %d: %d jobs to Kafka in %.2f s: %.0f a second"
                        .formatted(round, DRAINED, seconds, DRAINED / seconds));
            }
        }
        assertThat(broker.read("drained", 3 * DRAINED)).hasSizeGreaterThanOrEqualTo(3 * DRAINED);
    }

    /** The first seconds do not count, because the producer connects in them. */
    @Test
    void lateness() throws Exception {
        broker.create("punctual", 4);
        int counted = A_SECOND * SECONDS;
        int count = counted + A_SECOND * (int) WARM_UP.toSeconds();
        try (Application application = application("delayjob.targets.punctual.kafka.topic=punctual")) {
            DelayJobOperations jobs = application.jobs();
            Instant start = Instant.now().plus(AHEAD).truncatedTo(ChronoUnit.MILLIS);
            inParallel(count, i -> {
                Instant due = start.plusMillis(i * 1000L / A_SECOND);
                jobs.schedule("punctual").with(Map.of("body", i)).at(due);
                jobs.schedule("local").at(due);
            });
            assertThat(Instant.now()).as("the time at which all are written").isBefore(start);
            application.awaitFinished(2 * count);

            Instant from = start.plus(WARM_UP);
            List<Long> local = application.bean(Speed.class).local.stream()
                    .filter(call -> !call.plannedAt().isBefore(from))
                    .map(Call::lateMillis)
                    .sorted()
                    .toList();
            List<Long> kafka = broker.read("punctual", count).stream()
                    .map(one -> Call.of(Instant.parse(KafkaBroker.header(one, "ce_time")), one.timestamp()))
                    .filter(call -> !call.plannedAt().isBefore(from))
                    .map(Call::lateMillis)
                    .sorted()
                    .toList();
            assertThat(local).hasSize(counted);
            assertThat(kafka).hasSizeGreaterThanOrEqualTo(counted);
            assertThat(kafka.get(0)).isGreaterThanOrEqualTo(0);
            print("%d/s each, local handler called after %s; record appended after %s"
                    .formatted(A_SECOND, percentiles(local), percentiles(kafka)));
        }
    }

    private record Call(Instant plannedAt, long lateMillis) {

        static Call of(Instant plannedAt, long atMillis) {
            return new Call(plannedAt, atMillis - plannedAt.toEpochMilli());
        }
    }

    private static String percentiles(List<Long> sorted) {
        return "p50 %d ms, p99 %d ms, max %d ms"
                .formatted(
                        sorted.get(sorted.size() / 2),
                        sorted.get(sorted.size() * 99 / 100),
                        sorted.get(sorted.size() - 1));
    }

    private static void inParallel(int count, IntConsumer step) {
        IntStream.range(0, count).parallel().forEach(step);
    }

    private static void print(String figures) {
        System.out.printf(
                Locale.ROOT,
                "%s (%d cores, load %.1f)%n",
                figures,
                Runtime.getRuntime().availableProcessors(),
                ManagementFactory.getOperatingSystemMXBean().getSystemLoadAverage());
    }

    @Configuration(proxyBeanMethods = false)
    @ImportAutoConfiguration({
        DataSourceAutoConfiguration.class,
        DataSourceTransactionManagerAutoConfiguration.class,
        JdbcTemplateAutoConfiguration.class,
        DelayJobJdbcAutoConfiguration.class,
        KafkaAutoConfiguration.class
    })
    static class Speed {

        final ConcurrentLinkedQueue<Call> local = new ConcurrentLinkedQueue<>();

        @Bean
        Handler local() {
            return Handler.named("local").calls((arguments, job) -> {
                local.add(Call.of(job.plannedAt(), System.currentTimeMillis()));
                return null;
            });
        }
    }
}
