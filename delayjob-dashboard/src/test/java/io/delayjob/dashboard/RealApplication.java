package io.delayjob.dashboard;

import io.delayjob.DelayJobOperations;
import io.delayjob.annotation.DelayedJob;
import io.delayjob.annotation.Retry;
import io.delayjob.handler.JobContext;
import io.delayjob.handler.Next;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.atomic.AtomicInteger;
import org.springframework.boot.WebApplicationType;
import org.springframework.boot.autoconfigure.EnableAutoConfiguration;
import org.springframework.boot.builder.SpringApplicationBuilder;
import org.springframework.boot.web.server.context.WebServerApplicationContext;
import org.springframework.context.ConfigurableApplicationContext;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Configuration;

/** An application with the real starter and store, on H2, whose page a browser opens. */
final class RealApplication implements AutoCloseable {

    private static final AtomicInteger databases = new AtomicInteger();

    private final ConfigurableApplicationContext context;

    private RealApplication(ConfigurableApplicationContext context) {
        this.context = context;
    }

    /** The URL of a database that nobody else has. */
    static String database() {
        return "jdbc:h2:mem:journeys-%d;DB_CLOSE_DELAY=-1".formatted(databases.incrementAndGet());
    }

    static RealApplication start(WebApplicationType type, Class<?> security, String database, String... properties) {
        List<String> all = new ArrayList<>(List.of(
                "server.port=0",
                "spring.datasource.url=" + database,
                "spring.application.name=shop",
                "spring.main.banner-mode=off",
                "delayjob.shutdown.await=0s",
                "management.endpoints.web.exposure.include=delayjobs"));
        all.addAll(List.of(properties));
        return new RealApplication(new SpringApplicationBuilder(Shop.class, security)
                .web(type)
                .properties(all.toArray(String[]::new))
                .run());
    }

    String property(String name) {
        return context.getEnvironment().getRequiredProperty(name);
    }

    /** Where it serves its endpoints, without a path. */
    String address() {
        String management = context.getEnvironment().getProperty("local.management.port");
        return "http://localhost:" + (management == null ? property("local.server.port") : management);
    }

    DelayJobOperations jobs() {
        return context.getBean(DelayJobOperations.class);
    }

    Work work() {
        return context.getBean(Work.class);
    }

    <T> T bean(Class<T> type) {
        return context.getBean(type);
    }

    /** Stops answering, as a process that was killed does; what runs behind it goes on. */
    void stopAnswering() {
        ((WebServerApplicationContext) context).getWebServer().stop();
    }

    @Override
    public void close() {
        context.close();
    }

    /** Its handlers. */
    static class Work {

        volatile String broken = "the partner is closed";

        @DelayedJob("capture-payment")
        void capture(long orderId) {}

        @DelayedJob(name = "archive-import", keepFor = "P90D")
        void archive() {}

        /** Runs until the application stops. */
        @DelayedJob("export-orders")
        CompletableFuture<Void> export(JobContext job) {
            job.log("page 1 is written");
            return new CompletableFuture<>();
        }

        /** Runs again each hour. */
        @DelayedJob(name = "poll-parcel", retry = @Retry(maxRetries = 0))
        Next poll() {
            if (broken != null) {
                throw new IllegalStateException(broken);
            }
            return Next.after(Duration.ofHours(1));
        }

        @DelayedJob(name = "send-webhook", retry = @Retry(maxRetries = 0))
        void send(String body) {
            if (broken != null) {
                throw new IllegalStateException(broken);
            }
        }
    }

    @Configuration(proxyBeanMethods = false)
    @EnableAutoConfiguration
    static class Shop {

        @Bean
        Work work() {
            return new Work();
        }
    }
}
