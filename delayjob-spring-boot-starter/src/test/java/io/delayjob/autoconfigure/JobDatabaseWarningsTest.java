package io.delayjob.autoconfigure;

import static org.assertj.core.api.Assertions.assertThat;

import java.nio.file.Path;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;
import org.junit.jupiter.api.io.TempDir;
import org.springframework.boot.autoconfigure.AutoConfigurations;
import org.springframework.boot.jdbc.autoconfigure.DataSourceAutoConfiguration;
import org.springframework.boot.test.context.runner.ApplicationContextRunner;
import org.springframework.boot.test.system.CapturedOutput;
import org.springframework.boot.test.system.OutputCaptureExtension;

@ExtendWith(OutputCaptureExtension.class)
class JobDatabaseWarningsTest {

    @TempDir
    private Path directory;

    private final ApplicationContextRunner contexts = new ApplicationContextRunner()
            .withConfiguration(AutoConfigurations.of(
                    DelayJobAutoConfiguration.class,
                    DelayJobJdbcAutoConfiguration.class,
                    DelayJobThreadsAutoConfiguration.class,
                    DataSourceAutoConfiguration.class))
            .withPropertyValues(
                    "spring.datasource.generate-unique-name=true", "delayjob.jdbc.initialize-schema=always");

    private String file(String settings) {
        return "spring.datasource.url=jdbc:h2:file:" + directory.resolve("jobs") + settings;
    }

    @Test
    void smallPool_isWarnedOf(CapturedOutput output) {
        contexts.withPropertyValues("spring.datasource.hikari.maximum-pool-size=3")
                .run(context -> assertThat(output).contains("The connection pool has at most 3 connections"));
    }

    @Test
    void poolOfFour_isEnough(CapturedOutput output) {
        contexts.withPropertyValues("spring.datasource.hikari.maximum-pool-size=4")
                .run(context -> assertThat(output).doesNotContain("connection pool", "WRITE_DELAY"));
    }

    @Test
    void h2File_isWarnedOf(CapturedOutput output) {
        contexts.withPropertyValues(file(""))
                .run(context -> assertThat(output).contains("add ;WRITE_DELAY=0 to the URL of the database"));
    }

    @Test
    void h2FileThatWritesAtOnce_isFine(CapturedOutput output) {
        contexts.withPropertyValues(file(";WRITE_DELAY=0"))
                .run(context -> assertThat(output).doesNotContain("WRITE_DELAY"));
    }
}
