package io.delayjob.autoconfigure;

import static org.assertj.core.api.Assertions.assertThat;

import io.delayjob.DelayJobOperations;
import io.delayjob.annotation.DelayedJob;
import io.delayjob.annotation.Retry;
import java.io.IOException;
import java.nio.channels.FileChannel;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.springframework.boot.ApplicationRunner;
import org.springframework.boot.SpringApplication;
import org.springframework.boot.WebApplicationType;
import org.springframework.boot.autoconfigure.EnableAutoConfiguration;
import org.springframework.boot.builder.SpringApplicationBuilder;
import org.springframework.boot.jdbc.autoconfigure.DataSourceAutoConfiguration;
import org.springframework.boot.test.system.CapturedOutput;
import org.springframework.boot.test.system.OutputCaptureExtension;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Configuration;

/** What a developer reads when an application does not start. */
@ExtendWith(OutputCaptureExtension.class)
class FailureAnalyzersTest {

    private static String failureOf(CapturedOutput output, Class<?> source, String... properties) {
        SpringApplication application = new SpringApplicationBuilder(source)
                .web(WebApplicationType.NONE)
                .properties("spring.datasource.generate-unique-name=true", "spring.main.banner-mode=off")
                .properties(properties)
                .build();
        try {
            application.run().close();
        } catch (RuntimeException expected) {
            assertThat(output).contains("APPLICATION FAILED TO START");
        }
        String all = output.toString();
        return all.substring(all.indexOf("APPLICATION FAILED TO START"));
    }

    @Test
    void twoHandlersOfOneName(CapturedOutput output) {
        assertThat(failureOf(output, TwoOfOneName.class))
                .contains("Two handlers have the name 'x': First::run and Second::run.")
                .contains("Action:")
                .contains("State the name in its annotation")
                .containsOnlyOnce("another name");
    }

    @Test
    void gapsTogetherWithDelay(CapturedOutput output) {
        assertThat(failureOf(output, GapsAndDelay.class))
                .contains("Handler method " + GapsAndDelay.class.getName() + ".run")
                .contains("@Retry states gaps together with delay")
                .contains("Correct its annotation.");
    }

    @Test
    void lambdaInsteadOfReference(CapturedOutput output) {
        assertThat(failureOf(output, Lambda.class))
                .contains("Invalid handler reference")
                .contains("must be a method reference such as UnpaidOrders::cancel")
                .contains("Write jobs.schedule(UnpaidOrders::cancel)");
    }

    @Test
    void methodThatIsNoHandler(CapturedOutput output) {
        assertThat(failureOf(output, NotAnnotated.class))
                .contains("No handler for NotAnnotated::run")
                .contains("Schedule when the application has started");
    }

    @Test
    void missingTables(CapturedOutput output) {
        assertThat(failureOf(output, Empty.class, "delayjob.jdbc.initialize-schema=never"))
                .contains("delayjob cannot read its tables")
                .contains("delayjob_instance")
                .contains("delayjob.jdbc.initialize-schema=always");
    }

    @Test
    void h2FileOfAnotherProcess(CapturedOutput output, @TempDir Path directory) throws IOException {
        Path file = directory.resolve("jobs.mv.db");
        try (FileChannel channel = FileChannel.open(file, StandardOpenOption.CREATE, StandardOpenOption.WRITE)) {
            channel.lock(); // as H2 does it in the other process
            assertThat(failureOf(
                            output, Empty.class, "spring.datasource.url=jdbc:h2:file:" + directory.resolve("jobs")))
                    .contains("The H2 database is open in another process")
                    .contains(file.toString())
                    .contains("Stop the other process");
        }
    }

    @Test
    void handlersWithoutStore(CapturedOutput output) {
        assertThat(failureOf(
                        output,
                        Worker.class,
                        "spring.autoconfigure.exclude=" + DataSourceAutoConfiguration.class.getName()))
                .contains("Handler method " + Worker.class.getName() + ".run would never run: there is no job store.")
                .contains("Add a DataSource, or set delayjob.store=memory")
                .contains("delayjob.enabled=false");
    }

    @Test
    void storeThatDoesNotExist(CapturedOutput output) {
        assertThat(failureOf(output, Worker.class, "delayjob.store=redis"))
                .contains("Failed to bind properties under 'delayjob.store'")
                .contains("Value: \"redis\"")
                .contains("JDBC")
                .contains("MEMORY");
    }

    @ParameterizedTest
    @CsvSource(delimiter = '|', textBlock = """
            delayjob.partitions=0                | Invalid delayjob.partitions 0: must be from 1 to 1024. | delayjob.partitions
            delayjob.liveness=3s                 | Invalid delayjob.liveness PT3S: must be at least three heartbeats (PT6S). | delayjob.liveness
            delayjob.sweep.adopt-after=1ms       | Invalid delayjob.sweep.adopt-after PT0.001S | delayjob.sweep.adopt-after
            delayjob.instance-id=                | Invalid delayjob.instance-id '' (0 characters) | delayjob.instance-id
            delayjob.queues.mail.concurrency=0   | Invalid concurrency 0 of a queue | delayjob.queues.mail.concurrency
            delayjob.retry.max-retries=-1        | Invalid maxRetries (-1) | delayjob.retry
            delayjob.history.failed=-1d          | Invalid history retention | delayjob.history
            delayjob.lease.provider=foo          | Invalid delayjob.lease.provider 'foo': must be 'jdbc', 'bean' | delayjob.lease.provider
            delayjob.lease.provider=bean         | Invalid delayjob.lease.provider 'bean' | delayjob.lease.provider
            """)
    void badSetting(String property, String description, String key, CapturedOutput output) {
        assertThat(failureOf(output, Empty.class, property))
                .containsSubsequence(
                        "Description:",
                        description,
                        "Action:",
                        "Correct " + key + " in the application's configuration.")
                .doesNotContain("Error creating bean");
    }

    @Configuration(proxyBeanMethods = false)
    @EnableAutoConfiguration
    static class Empty {}

    @Configuration(proxyBeanMethods = false)
    @EnableAutoConfiguration
    static class Worker {
        @DelayedJob("x")
        void run() {}
    }

    @Configuration(proxyBeanMethods = false)
    @EnableAutoConfiguration
    static class TwoOfOneName {

        @Bean
        First first() {
            return new First();
        }

        @Bean
        Second second() {
            return new Second();
        }
    }

    static class First {
        @DelayedJob("x")
        void run() {}
    }

    static class Second {
        @DelayedJob("x")
        void run() {}
    }

    @Configuration(proxyBeanMethods = false)
    @EnableAutoConfiguration
    static class GapsAndDelay {
        @DelayedJob(name = "x", retry = @Retry(gaps = "1s", delay = "2s"))
        void run() {}
    }

    @Configuration(proxyBeanMethods = false)
    @EnableAutoConfiguration
    static class Lambda {
        @Bean
        ApplicationRunner runner(DelayJobOperations jobs) {
            return arguments -> jobs.schedule((First first) -> first.run()).now();
        }
    }

    @Configuration(proxyBeanMethods = false)
    @EnableAutoConfiguration
    static class NotAnnotated {
        @Bean
        ApplicationRunner runner(DelayJobOperations jobs) {
            return arguments -> jobs.schedule(NotAnnotated::run).now();
        }

        void run() {}
    }
}
