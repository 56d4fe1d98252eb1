package io.delayjob.autoconfigure;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import io.delayjob.DelayJobEngine;
import io.delayjob.DelayJobOperations;
import io.delayjob.annotation.DelayedJob;
import io.delayjob.redis.TestRedisCluster;
import io.delayjob.store.StoreException;
import java.time.Duration;
import java.util.Set;
import java.util.concurrent.ConcurrentSkipListSet;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;
import org.springframework.boot.WebApplicationType;
import org.springframework.boot.autoconfigure.EnableAutoConfiguration;
import org.springframework.boot.builder.SpringApplicationBuilder;
import org.springframework.boot.jdbc.autoconfigure.DataSourceAutoConfiguration;
import org.springframework.context.ConfigurableApplicationContext;
import org.springframework.context.annotation.Configuration;
import org.springframework.context.annotation.Import;

/** An application without a database, with its jobs and leases in a cluster of Redis. */
class RedisClusterApplicationTest {

    private static final Duration PATIENCE = Duration.ofSeconds(60);

    @Test
    void jobsOfAllSlotsRun_andThisInstanceLeadsAllPartitions() {
        try (TestRedisCluster cluster = TestRedisCluster.start();
                ConfigurableApplicationContext application = start(cluster)) {
            DelayJobOperations jobs = application.getBean(DelayJobOperations.class);
            Counter counter = application.getBean(Counter.class);

            jobs.schedule(Counter::count)
                    .withEach(IntStream.range(0, 200).boxed().toList())
                    .now();
            IntStream.range(200, 250)
                    .forEach(number -> jobs.schedule(Counter::count)
                            .with(number)
                            .key(number)
                            .now());

            await().atMost(PATIENCE)
                    .untilAsserted(() -> assertThat(counter.counted).hasSize(250));
            await().atMost(PATIENCE)
                    .untilAsserted(() -> assertThat(application
                                    .getBean(DelayJobEngine.class)
                                    .status()
                                    .led())
                            .hasSize(8));
        }
    }

    @Test
    void jobsRun_beforeAndAfterAFailoverOfTheMasterThatHasTheRegister() {
        try (TestRedisCluster cluster = TestRedisCluster.startReplicated("--cluster-node-timeout", "2000");
                ConfigurableApplicationContext application = start(cluster, "delayjob.redis.wait-replicas=1")) {
            DelayJobOperations jobs = application.getBean(DelayJobOperations.class);
            Counter counter = application.getBean(Counter.class);
            jobs.schedule(Counter::count)
                    .withEach(IntStream.range(0, 100).boxed().toList())
                    .now();
            await().atMost(PATIENCE)
                    .untilAsserted(() -> assertThat(counter.counted).hasSize(100));

            cluster.failOver(cluster.shardOf("{meta}"));

            IntStream.range(100, 150)
                    .forEach(number -> await().atMost(PATIENCE)
                            .ignoreExceptionsInstanceOf(StoreException.class)
                            .until(
                                    () -> jobs.schedule(Counter::count)
                                            .with(number)
                                            .key(number)
                                            .now(),
                                    scheduled -> true));
            await().atMost(PATIENCE)
                    .untilAsserted(() -> assertThat(counter.counted).hasSize(150));
        }
    }

    private static ConfigurableApplicationContext start(TestRedisCluster cluster, String... properties) {
        String nodes = cluster.uris().stream()
                .map(node -> node.getHost() + ":" + node.getPort())
                .collect(Collectors.joining(","));
        return new SpringApplicationBuilder(Application.class)
                .web(WebApplicationType.NONE)
                .properties(
                        "delayjob.store=redis",
                        "spring.data.redis.timeout=2s",
                        "spring.data.redis.cluster.nodes=" + nodes)
                .properties(properties)
                .run();
    }

    @Configuration(proxyBeanMethods = false)
    @EnableAutoConfiguration(exclude = DataSourceAutoConfiguration.class)
    @Import(Counter.class)
    static class Application {}

    static class Counter {

        private final Set<Integer> counted = new ConcurrentSkipListSet<>();

        @DelayedJob("count")
        void count(int number) {
            counted.add(number);
        }
    }
}
