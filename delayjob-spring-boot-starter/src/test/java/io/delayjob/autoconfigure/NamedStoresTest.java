package io.delayjob.autoconfigure;

import static java.time.Duration.ofHours;
import static java.time.Duration.ofMillis;
import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import io.delayjob.DelayJobOperations;
import io.delayjob.annotation.Deferred;
import io.delayjob.annotation.DelayedJob;
import io.delayjob.job.Job;
import io.delayjob.job.JobId;
import io.delayjob.job.JobState;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.CopyOnWriteArrayList;
import javax.sql.DataSource;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.springframework.boot.WebApplicationType;
import org.springframework.boot.autoconfigure.EnableAutoConfiguration;
import org.springframework.boot.builder.SpringApplicationBuilder;
import org.springframework.context.ConfigurableApplicationContext;
import org.springframework.context.annotation.Configuration;
import org.springframework.context.annotation.Import;
import org.springframework.jdbc.core.JdbcTemplate;
import org.springframework.transaction.annotation.Transactional;

/** An application with three stores, each in an H2 database of its own. */
class NamedStoresTest {

    private static final Duration PATIENCE = Duration.ofSeconds(60);

    private @Nullable ConfigurableApplicationContext application;

    private ConfigurableApplicationContext start(Class<?> configuration, String... properties) {
        application = new SpringApplicationBuilder(configuration)
                .web(WebApplicationType.NONE)
                .properties(
                        "spring.datasource.generate-unique-name=true",
                        "delayjob.stores.eu.url=jdbc:h2:mem:eu",
                        "delayjob.stores.eu.partitions=2",
                        "delayjob.stores.us.url=jdbc:h2:mem:us",
                        "delayjob.partitions=4",
                        "delayjob.shutdown.await=1s")
                .properties(properties)
                .run();
        return application;
    }

    @AfterEach
    void stop() {
        if (application != null) {
            application.close();
        }
    }

    private static Optional<Job> in(DelayJobOperations jobs, String store, JobId id) {
        return jobs.in(store).find(id);
    }

    @Test
    void jobs_runFromTheStoreThatTheCallNames() {
        ConfigurableApplicationContext context = start(Post.class);
        DelayJobOperations jobs = context.getBean(DelayJobOperations.class);
        Letters letters = context.getBean(Letters.class);

        JobId here = jobs.schedule(Letters::send)
                .with("default")
                .after(ofMillis(100))
                .id();
        JobId eu = jobs.in("eu")
                .schedule(Letters::send)
                .with("eu")
                .after(ofMillis(100))
                .id();
        JobId us = jobs.in("us")
                .schedule("send")
                .with(Map.of("to", "us"))
                .after(ofMillis(100))
                .id();

        await().atMost(PATIENCE).untilAsserted(() -> assertThat(letters.sent).hasSize(3));
        assertThat(letters.sent).containsExactlyInAnyOrder("default", "eu", "us");
        assertThat(in(jobs, "default", here)).isPresent();
        assertThat(in(jobs, "eu", here)).isEmpty();
        assertThat(in(jobs, "eu", eu)).isPresent();
        assertThat(in(jobs, "us", eu)).isEmpty();
        assertThat(in(jobs, "us", us)).isPresent();
        await().atMost(PATIENCE)
                .untilAsserted(
                        () -> assertThat(jobs.find(us).orElseThrow().state()).isEqualTo(JobState.FINISHED));
    }

    @Configuration(proxyBeanMethods = false)
    @EnableAutoConfiguration
    @Import({Letters.class, Parcels.class, Orders.class})
    static class Post {}

    static class Letters {
        final List<String> sent = new CopyOnWriteArrayList<>();

        @DelayedJob("send")
        public void send(String to) {
            sent.add(to);
        }
    }

    static class Parcels {
        final List<String> sent = new CopyOnWriteArrayList<>();

        @DelayedJob(name = "parcel", store = "eu")
        public void send(String to) {
            sent.add(to);
        }

        @Deferred(name = "stamp", store = "us")
        public void stamp(String text) {
            sent.add(text);
        }

        @DelayedJob(name = "collect", store = "us", every = "100ms")
        public void collect() {
            sent.add("collected");
        }
    }

    static class Orders {
        private final DelayJobOperations jobs;
        private final JdbcTemplate jdbc;

        Orders(DelayJobOperations jobs, @org.springframework.beans.factory.annotation.Qualifier("eu") DataSource eu) {
            this.jobs = jobs;
            this.jdbc = new JdbcTemplate(eu);
        }

        @Transactional("eu")
        public JobId placeInEu(String customer, boolean fails) {
            jdbc.execute("CREATE TABLE IF NOT EXISTS orders (customer VARCHAR(20))");
            jdbc.update("INSERT INTO orders VALUES (?)", customer);
            JobId id = jobs.in("eu")
                    .schedule(Letters::send)
                    .with(customer)
                    .after(ofHours(1))
                    .id();
            if (fails) {
                throw new IllegalStateException("out of stock");
            }
            return id;
        }
    }
}
