package io.delayjob.autoconfigure;

import static org.assertj.core.api.Assertions.assertThat;

import io.delayjob.DelayJobEngine;
import io.delayjob.DelayJobOperations;
import io.delayjob.annotation.DelayedJob;
import io.delayjob.jdbc.JdbcJobStore;
import io.delayjob.lease.LeaseProvider;
import io.delayjob.memory.MemoryJobStore;
import io.delayjob.store.JobStore;
import io.delayjob.time.StoreClock;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;
import org.springframework.boot.autoconfigure.AutoConfiguration;
import org.springframework.boot.autoconfigure.AutoConfigurations;
import org.springframework.boot.autoconfigure.condition.ConditionalOnProperty;
import org.springframework.boot.jackson.autoconfigure.JacksonAutoConfiguration;
import org.springframework.boot.jdbc.autoconfigure.DataSourceAutoConfiguration;
import org.springframework.boot.jdbc.autoconfigure.DataSourceTransactionManagerAutoConfiguration;
import org.springframework.boot.jdbc.autoconfigure.JdbcTemplateAutoConfiguration;
import org.springframework.boot.test.context.runner.ApplicationContextRunner;
import org.springframework.context.annotation.Bean;
import org.springframework.jdbc.core.JdbcTemplate;

/** A store that another jar brings, by an auto-configuration of its own. */
class ForeignStoreTest {

    private final ApplicationContextRunner contexts = new ApplicationContextRunner()
            .withConfiguration(AutoConfigurations.of(
                    FileStoreAutoConfiguration.class,
                    DelayJobAutoConfiguration.class,
                    DelayJobAbsenceAutoConfiguration.class,
                    DelayJobJdbcAutoConfiguration.class,
                    DelayJobMemoryAutoConfiguration.class,
                    DelayJobThreadsAutoConfiguration.class,
                    JacksonAutoConfiguration.class))
            .withPropertyValues("delayjob.store=files")
            .withBean(Greeter.class);

    private final ApplicationContextRunner contextsWithDatabase = contexts.withConfiguration(AutoConfigurations.of(
                    DataSourceAutoConfiguration.class,
                    DataSourceTransactionManagerAutoConfiguration.class,
                    JdbcTemplateAutoConfiguration.class))
            .withPropertyValues("spring.datasource.generate-unique-name=true");

    @Test
    void withoutDataSource_jobsRun() {
        contexts.run(context -> {
            assertThat(context).hasNotFailed().hasSingleBean(DelayJobEngine.class);
            context.getBean(DelayJobOperations.class).schedule(Greeter::greet).now();
            assertThat(context.getBean(Greeter.class).greeted.get(30, TimeUnit.SECONDS))
                    .isTrue();
        });
    }

    @Test
    void besideADataSource_nothingOfJdbcIsMade() {
        contextsWithDatabase.run(context -> {
            assertThat(context)
                    .hasNotFailed()
                    .hasSingleBean(DelayJobEngine.class)
                    .doesNotHaveBean(JdbcJobStore.class)
                    .doesNotHaveBean(JobDatabase.class)
                    .doesNotHaveBean(DelayJobSchemaInitializer.class)
                    .doesNotHaveBean(JobTablesCheck.class)
                    .doesNotHaveBean(DelayJobJdbcProperties.class);
            assertThat(context.getBean(JdbcTemplate.class)
                            .queryForList("SELECT table_name FROM information_schema.tables"
                                    + " WHERE table_schema = 'PUBLIC'"))
                    .isEmpty();
        });
    }

    /** The store's bean decides, whatever the property says. */
    @Test
    void storeBean_needsNoProperty() {
        contextsWithDatabase
                .withPropertyValues("delayjob.store=jdbc", "files.always=true")
                .run(context -> assertThat(context)
                        .hasNotFailed()
                        .hasSingleBean(JobStore.class)
                        .hasSingleBean(LeaseProvider.class)
                        .doesNotHaveBean(JobDatabase.class));
    }

    @AutoConfiguration(before = DelayJobJdbcAutoConfiguration.class)
    static class FileStoreAutoConfiguration {

        @Bean
        @ConditionalOnProperty(name = "delayjob.store", havingValue = "files")
        JobStore fileStore() {
            return new MemoryJobStore(StoreClock::wallMicros);
        }

        @Bean
        @ConditionalOnProperty(name = "delayjob.store", havingValue = "files")
        LeaseProvider fileLeases() {
            return new LocalLeases();
        }

        @Bean
        @ConditionalOnProperty("files.always")
        JobStore fileStoreAlways() {
            return new MemoryJobStore(StoreClock::wallMicros);
        }

        @Bean
        @ConditionalOnProperty("files.always")
        LeaseProvider fileLeasesAlways() {
            return new LocalLeases();
        }
    }

    static class Greeter {

        final CompletableFuture<Boolean> greeted = new CompletableFuture<>();

        @DelayedJob
        void greet() {
            greeted.complete(true);
        }
    }
}
