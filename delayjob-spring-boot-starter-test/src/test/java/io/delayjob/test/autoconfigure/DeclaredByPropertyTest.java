package io.delayjob.test.autoconfigure;

import static org.assertj.core.api.Assertions.assertThat;

import io.delayjob.DelayJobOperations;
import io.delayjob.annotation.DelayedJob;
import io.delayjob.autoconfigure.DelayJobAutoConfiguration;
import io.delayjob.autoconfigure.DelayJobJdbcAutoConfiguration;
import io.delayjob.autoconfigure.DelayJobThreadsAutoConfiguration;
import io.delayjob.job.Job;
import io.delayjob.test.DelayJobTester;
import java.util.Optional;
import java.util.concurrent.atomic.AtomicReference;
import org.junit.jupiter.api.Test;
import org.springframework.boot.autoconfigure.AutoConfigurations;
import org.springframework.boot.jackson.autoconfigure.JacksonAutoConfiguration;
import org.springframework.boot.jdbc.autoconfigure.DataSourceAutoConfiguration;
import org.springframework.boot.jdbc.autoconfigure.DataSourceTransactionManagerAutoConfiguration;
import org.springframework.boot.test.context.runner.ApplicationContextRunner;

/** What properties say of when a method starts by itself, start by start on the same database. */
class DeclaredByPropertyTest {

    private final ApplicationContextRunner application = new ApplicationContextRunner()
            .withConfiguration(AutoConfigurations.of(
                    DelayJobAutoConfiguration.class,
                    DelayJobJdbcAutoConfiguration.class,
                    DelayJobThreadsAutoConfiguration.class,
                    DataSourceAutoConfiguration.class,
                    DataSourceTransactionManagerAutoConfiguration.class,
                    JacksonAutoConfiguration.class,
                    VirtualTimeAutoConfiguration.class,
                    TestTablesAutoConfiguration.class))
            .withUserConfiguration(Housekeeping.class)
            .withPropertyValues(
                    "spring.datasource.url=jdbc:h2:mem:declared-by-property;DB_CLOSE_DELAY=-1",
                    "delayjob.test.starting-at=2030-01-01T00:00:00Z");

    private Optional<String> scheduleOf(String name, String... properties) {
        AtomicReference<Optional<String>> found = new AtomicReference<>(Optional.empty());
        application.withPropertyValues(properties).run(context -> {
            assertThat(context).hasNotFailed();
            context.getBean(DelayJobTester.class).runDue();
            found.set(context.getBean(DelayJobOperations.class)
                    .find(name, Job.DECLARED_KEY)
                    .filter(job -> !job.state().isEnded())
                    .map(Job::schedule));
        });
        return found.get();
    }

    @Test
    void cronZoneAndEvery_mayBePlaceholders() {
        assertThat(scheduleOf("purge", "purge.cron=0 0 3 * * *", "purge.zone=Europe/Berlin"))
                .contains("cron:0 0 3 * * *@Europe/Berlin");
        assertThat(scheduleOf("measure", "measure.every=90m")).contains("every:PT1H30M");
    }

    @Test
    void dash_withdrawsTheStoredJob_andATimeBringsItBack() {
        assertThat(scheduleOf("purge", "purge.cron=0 0 3 * * *")).contains("cron:0 0 3 * * *@UTC");
        assertThat(scheduleOf("purge")).as("the placeholder's default").isEmpty();
        assertThat(scheduleOf("purge", "purge.cron=0 0 4 * * *")).contains("cron:0 0 4 * * *@UTC");
        assertThat(scheduleOf("purge", "purge.cron=-")).isEmpty();
        assertThat(scheduleOf("measure", "measure.every=1h")).contains("every:PT1H");
        assertThat(scheduleOf("measure", "measure.every=-")).isEmpty();
    }

    static class Housekeeping {
        @DelayedJob(name = "purge", cron = "${purge.cron:-}", zone = "${purge.zone:UTC}")
        void purge() {}

        @DelayedJob(name = "measure", every = "${measure.every:1h}")
        void measure() {}
    }
}
