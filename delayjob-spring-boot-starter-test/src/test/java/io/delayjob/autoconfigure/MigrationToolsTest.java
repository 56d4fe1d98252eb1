package io.delayjob.autoconfigure;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assumptions.assumeThat;

import io.delayjob.DelayJobOperations;
import io.delayjob.annotation.DelayedJob;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;
import org.springframework.boot.autoconfigure.AutoConfigurations;
import org.springframework.boot.flyway.autoconfigure.FlywayAutoConfiguration;
import org.springframework.boot.jackson.autoconfigure.JacksonAutoConfiguration;
import org.springframework.boot.jdbc.autoconfigure.DataSourceAutoConfiguration;
import org.springframework.boot.jdbc.autoconfigure.DataSourceTransactionManagerAutoConfiguration;
import org.springframework.boot.jdbc.autoconfigure.JdbcTemplateAutoConfiguration;
import org.springframework.boot.test.context.assertj.AssertableApplicationContext;
import org.springframework.boot.test.context.runner.ApplicationContextRunner;
import org.springframework.boot.transaction.autoconfigure.TransactionAutoConfiguration;
import org.springframework.core.io.ClassPathResource;
import org.springframework.jdbc.core.JdbcTemplate;
import org.springframework.util.ClassUtils;

/**
 * Flyway and Liquibase may make the job tables, or others beside them: delayjob is neither too early nor in their way.
 */
class MigrationToolsTest {

    private static final Pattern DOCUMENTED_CHANGE_LOG =
            Pattern.compile("```yaml\n(databaseChangeLog:.*?)```", Pattern.DOTALL);

    private static final String LIQUIBASE =
            "org.springframework.boot.liquibase.autoconfigure.LiquibaseAutoConfiguration";

    private final ApplicationContextRunner contexts = new ApplicationContextRunner()
            .withConfiguration(AutoConfigurations.of(
                    DelayJobAutoConfiguration.class,
                    DelayJobJdbcAutoConfiguration.class,
                    DelayJobThreadsAutoConfiguration.class,
                    DataSourceAutoConfiguration.class,
                    DataSourceTransactionManagerAutoConfiguration.class,
                    TransactionAutoConfiguration.class,
                    JdbcTemplateAutoConfiguration.class,
                    JacksonAutoConfiguration.class))
            .withUserConfiguration(Greeter.class)
            .withPropertyValues("spring.datasource.generate-unique-name=true");

    @TempDir
    private Path migrations;

    @Test
    void flyway_makesTheTablesFromACopyOfTheScript() throws IOException {
        write("V1__orders.sql", "CREATE TABLE orders (id BIGINT PRIMARY KEY);");
        write("V2__delayjob.sql", script());

        withFlyway().withPropertyValues("delayjob.jdbc.initialize-schema=never").run(context -> {
            assertGreets(context);
            assertThat(count(context, "\"flyway_schema_history\" WHERE \"success\" AND \"version\" IS NOT NULL"))
                    .isEqualTo(2);
        });
    }

    @ParameterizedTest
    @ValueSource(strings = {"embedded", "always"})
    void tablesBesideFlyway_areMadeAfterItsMigrations(String mode) throws IOException {
        write("V1__orders.sql", "CREATE TABLE orders (id BIGINT PRIMARY KEY);");

        withFlyway()
                .withPropertyValues("delayjob.jdbc.initialize-schema=" + mode)
                .run(context -> {
                    // Before them, Flyway would have refused a schema that is not empty.
                    assertGreets(context);
                    assertThat(count(context, "orders")).isZero();
                });
    }

    @Test
    void tablesOfFlyway_areLeftAsTheyAre() throws IOException {
        write("V1__delayjob.sql", script());
        write("V2__mark.sql", "ALTER TABLE delayjob_job ADD COLUMN mark INTEGER;");

        withFlyway().run(context -> {
            assertGreets(context);
            assertThat(count(context, "delayjob_job WHERE mark IS NOT NULL")).isZero();
        });
    }

    @Test
    void tablesThatFlywayHasNotMade_areMissed() throws IOException {
        write("V1__orders.sql", "CREATE TABLE orders (id BIGINT PRIMARY KEY);");

        withFlyway()
                .withPropertyValues("delayjob.jdbc.initialize-schema=never")
                .run(context -> assertThat(context).getFailure().isInstanceOf(UnusableJobTablesException.class));
    }

    @Test
    void liquibase_makesTheTablesFromTheScriptInTheJar() throws IOException {
        write("changelog.yaml", documentedChangeLog());

        withLiquibase()
                .withPropertyValues("delayjob.jdbc.initialize-schema=never")
                .run(context -> {
                    assertGreets(context);
                    assertThat(count(context, "databasechangelog")).isOne();
                });
    }

    @ParameterizedTest
    @ValueSource(strings = {"embedded", "always"})
    void tablesOfLiquibase_areLeftAsTheyAre(String mode) throws IOException {
        write("changelog.yaml", documentedChangeLog());

        withLiquibase()
                .withPropertyValues("delayjob.jdbc.initialize-schema=" + mode)
                .run(MigrationToolsTest::assertGreets);
    }

    @Test
    void beanThatSchedulesAsItIsMade_findsTheTables() throws IOException {
        write("V1__delayjob.sql", script());
        write("changelog.yaml", documentedChangeLog());

        withFlyway()
                .withUserConfiguration(Early.class)
                .withPropertyValues("delayjob.jdbc.initialize-schema=never")
                .run(context -> assertThat(count(context, "delayjob_job")).isOne());
        withLiquibase()
                .withUserConfiguration(Early.class)
                .withPropertyValues("delayjob.jdbc.initialize-schema=never")
                .run(context -> assertThat(count(context, "delayjob_job")).isOne());
    }

    private ApplicationContextRunner withFlyway() {
        return contexts.withConfiguration(AutoConfigurations.of(FlywayAutoConfiguration.class))
                .withPropertyValues("spring.flyway.locations=filesystem:" + migrations);
    }

    private ApplicationContextRunner withLiquibase() {
        assumeThat(ClassUtils.isPresent(LIQUIBASE, null))
                .as("Liquibase on the class path, as in the profile of that name")
                .isTrue();
        return contexts.withConfiguration(AutoConfigurations.of(ClassUtils.resolveClassName(LIQUIBASE, null)))
                .withPropertyValues("spring.liquibase.change-log=file:" + migrations.resolve("changelog.yaml"));
    }

    private void write(String file, String content) throws IOException {
        Files.writeString(migrations.resolve(file), content);
    }

    private static String script() throws IOException {
        return new ClassPathResource("io/delayjob/jdbc/schema-h2.sql").getContentAsString(StandardCharsets.UTF_8);
    }

    private static String documentedChangeLog() throws IOException {
        Matcher changeLog = DOCUMENTED_CHANGE_LOG.matcher(Files.readString(Path.of("../docs/databases.md")));
        assertThat(changeLog.find()).isTrue();
        return changeLog.group(1).replace("schema-postgresql.sql", "schema-h2.sql");
    }

    private static int count(AssertableApplicationContext context, String rows) {
        return context.getBean(JdbcTemplate.class).queryForObject("SELECT count(*) FROM " + rows, Integer.class);
    }

    private static void assertGreets(AssertableApplicationContext context) throws Exception {
        assertThat(context).hasNotFailed();
        context.getBean(DelayJobOperations.class)
                .schedule(Greeter::greet)
                .with("Ann")
                .now();
        assertThat(context.getBean(Greeter.class).greeted.get(30, TimeUnit.SECONDS))
                .isEqualTo("Ann");
    }

    static class Early {
        Early(DelayJobOperations jobs) {
            jobs.schedule("in-another-application").after(Duration.ofDays(1));
        }
    }

    static class Greeter {
        private final CompletableFuture<String> greeted = new CompletableFuture<>();

        @DelayedJob("greet")
        void greet(String name) {
            greeted.complete(name);
        }
    }
}
