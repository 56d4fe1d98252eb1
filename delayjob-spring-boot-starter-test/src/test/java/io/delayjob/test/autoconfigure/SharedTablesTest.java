package io.delayjob.test.autoconfigure;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import io.delayjob.DelayJobOperations;
import io.delayjob.annotation.DelayedJob;
import io.delayjob.autoconfigure.DelayJobAutoConfiguration;
import io.delayjob.autoconfigure.DelayJobJdbcAutoConfiguration;
import io.delayjob.autoconfigure.DelayJobMemoryAutoConfiguration;
import io.delayjob.autoconfigure.DelayJobThreadsAutoConfiguration;
import io.delayjob.job.Job;
import io.delayjob.spring.JobStoreCustomizer;
import io.delayjob.store.JobStore;
import io.delayjob.test.DelayJobTester;
import io.delayjob.test.ForwardingStore;
import java.nio.file.Path;
import java.time.Duration;
import java.util.Set;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;
import org.junit.jupiter.api.io.TempDir;
import org.springframework.boot.autoconfigure.AutoConfigurations;
import org.springframework.boot.diagnostics.FailureAnalysis;
import org.springframework.boot.jackson.autoconfigure.JacksonAutoConfiguration;
import org.springframework.boot.jdbc.autoconfigure.DataSourceAutoConfiguration;
import org.springframework.boot.jdbc.autoconfigure.DataSourceTransactionManagerAutoConfiguration;
import org.springframework.boot.test.context.runner.ApplicationContextRunner;
import org.springframework.boot.test.system.CapturedOutput;
import org.springframework.boot.test.system.OutputCaptureExtension;

/** Virtual time keeps off the job tables of a real application, and shares those of tests. */
@ExtendWith(OutputCaptureExtension.class)
class SharedTablesTest {

    @TempDir
    private Path files;

    private String url;

    @BeforeEach
    void nextDatabase() {
        url = "jdbc:h2:file:" + files.resolve("shop");
    }

    private ApplicationContextRunner real() {
        return new ApplicationContextRunner()
                .withConfiguration(AutoConfigurations.of(
                        DelayJobAutoConfiguration.class,
                        DelayJobJdbcAutoConfiguration.class,
                        DelayJobThreadsAutoConfiguration.class,
                        DataSourceAutoConfiguration.class,
                        DataSourceTransactionManagerAutoConfiguration.class,
                        JacksonAutoConfiguration.class))
                .withUserConfiguration(Housekeeping.class)
                .withPropertyValues("spring.datasource.url=" + url, "delayjob.jdbc.initialize-schema=always");
    }

    private ApplicationContextRunner virtual() {
        return real().withConfiguration(
                        AutoConfigurations.of(VirtualTimeAutoConfiguration.class, TestTablesAutoConfiguration.class))
                .withPropertyValues("delayjob.test.starting-at=2100-01-01T00:00:00Z");
    }

    @Test
    void rowOfARealApplication_afterAContextWithItsStoreInMemory_isRefusedAllTheSame() {
        real().run(context ->
                context.getBean(DelayJobOperations.class).schedule("elsewhere").after(Duration.ofDays(1)));
        real().withConfiguration(
                        AutoConfigurations.of(DelayJobMemoryAutoConfiguration.class, TestTablesAutoConfiguration.class))
                .withPropertyValues("delayjob.store=memory")
                .withBean(JobStoreCustomizer.class, () -> ForwardingStore::new)
                .run(context -> assertThat(context).hasNotFailed());

        virtual().run(context -> assertThat(context).hasFailed());
    }

    @Test
    void rowOfARealApplication_isRefused() {
        real().run(context ->
                context.getBean(DelayJobOperations.class).schedule("elsewhere").after(Duration.ofDays(1)));

        virtual().run(context -> {
            assertThat(context)
                    .getFailure()
                    .rootCause()
                    .hasMessageContaining("elsewhere")
                    .hasMessageContaining("delayjob.jdbc.table-prefix");
            FailureAnalysis analysis = new SharedTablesFailureAnalyzer().analyze(context.getStartupFailure());
            assertThat(analysis.getDescription()).contains("elsewhere");
            assertThat(analysis.getAction()).contains("delayjob.jdbc.table-prefix");
        });
    }

    @Test
    void liveInstanceOfARealApplication_isRefused() {
        real().run(context -> {
            context.getBean(JobStore.class).instances().register("shop-1#x", Set.of("default"), Set.of());

            virtual().run(other -> assertThat(other).getFailure().rootCause().hasMessageContaining("shop-1#x"));
        });
    }

    @Test
    void contextsWithAndWithoutVirtualTimeOnOneTestDatabase_shareIt() {
        ApplicationContextRunner realTest =
                real().withConfiguration(AutoConfigurations.of(TestTablesAutoConfiguration.class));
        realTest.run(context ->
                context.getBean(DelayJobOperations.class).schedule("elsewhere").after(Duration.ofDays(1)));

        virtual().run(context -> assertThat(context).hasNotFailed());
        realTest.run(context -> assertThat(context).hasNotFailed());
        virtual().run(context -> assertThat(context).hasNotFailed());
    }

    @Test
    void contextsThatShareADatabaseInMemoryByItsName_start() {
        url = "jdbc:h2:mem:shared-by-name;DB_CLOSE_DELAY=-1";
        real().run(context ->
                context.getBean(DelayJobOperations.class).schedule("elsewhere").after(Duration.ofDays(1)));

        virtual().run(context -> assertThat(context).hasNotFailed());
    }

    @Test
    void tablesWithAPrefixOfTheirOwn_areUsedBesideThoseOfARealApplication() {
        real().run(context ->
                context.getBean(DelayJobOperations.class).schedule("elsewhere").after(Duration.ofDays(1)));

        virtual()
                .withPropertyValues("delayjob.jdbc.table-prefix=test_")
                .run(context -> assertThat(context).hasNotFailed());
    }

    @Test
    void rowsOfAnEarlierVirtualTest_areItsOwn() {
        virtual().run(context -> {
            assertThat(context).hasNotFailed();
            context.getBean(DelayJobOperations.class).schedule("elsewhere").after(Duration.ofDays(1));
            context.getBean(DelayJobTester.class).advance(Duration.ofHours(1));
        });

        virtual().run(context -> assertThat(context).hasNotFailed());
    }

    @Test
    void realApplication_runsAgainWhatVirtualTimeHadMovedAway(CapturedOutput output) {
        virtual().run(context -> context.getBean(DelayJobTester.class).advance(Duration.ofDays(1)));

        real().run(context -> {
            DelayJobOperations jobs = context.getBean(DelayJobOperations.class);
            JobStore store = context.getBean(JobStore.class);
            long soon = store.clockMicros() / 1_000 + Duration.ofHours(2).toMillis();
            await().until(() -> jobs.find("measure", Job.DECLARED_KEY)
                    .filter(job -> job.plannedAt().toEpochMilli() < soon)
                    .isPresent());
            assertThat(output).contains("WARN").contains("'measure' was due at 2100-01-");
        });
    }

    static class Housekeeping {
        @DelayedJob(name = "measure", every = "1h")
        void measure() {}
    }
}
