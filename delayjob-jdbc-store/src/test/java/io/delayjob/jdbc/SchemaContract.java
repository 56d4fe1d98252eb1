package io.delayjob.jdbc;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import com.zaxxer.hikari.HikariDataSource;
import io.delayjob.job.JobState;
import io.delayjob.job.NewJob;
import io.delayjob.store.StoreException;
import java.util.List;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.springframework.core.io.ClassPathResource;
import org.springframework.jdbc.core.JdbcTemplate;
import org.springframework.jdbc.datasource.init.ResourceDatabasePopulator;
import org.springframework.jdbc.support.JdbcTransactionManager;

/** The shipped DDL. */
abstract class SchemaContract {

    private HikariDataSource pool;

    /** A pool over a new, empty database. */
    abstract HikariDataSource newDatabase();

    abstract String platform();

    @BeforeEach
    final void makeDatabase() {
        pool = newDatabase();
    }

    @AfterEach
    final void closeDatabase() {
        if (pool != null) {
            pool.close();
        }
    }

    @Test
    void script_isAppliedAsSpringBootDoesItAndMayBeAppliedAgain() {
        String script = JobSchema.LOCATION.replace("classpath:", "").replace("@@platform@@", platform());
        ResourceDatabasePopulator populator = new ResourceDatabasePopulator(new ClassPathResource(script));

        populator.execute(pool);
        jobIsWritten(
                JdbcJobStore.builder(pool, new JdbcTransactionManager(pool)).build());
        populator.execute(pool);

        assertThat(rows("delayjob_job")).isOne();
        assertThat(rows("shedlock")).isZero();
    }

    @Test
    void tables_mayHaveAPrefixAndASchemaOfTheirOwn() {
        new JdbcTemplate(pool).execute("CREATE SCHEMA jobs");
        TestSchema.apply(pool, "dj_", "jobs");
        TestSchema.apply(pool, "dj_", "jobs");

        jobIsWritten(JdbcJobStore.builder(pool, new JdbcTransactionManager(pool))
                .tablePrefix("dj_")
                .schema("jobs")
                .build());

        assertThat(rows("jobs.dj_job")).isOne();
        assertThat(rows("jobs.shedlock")).isZero();
    }

    @Test
    void missingTables_areNamedInTheError() {
        try (JdbcJobStore store =
                JdbcJobStore.builder(pool, new JdbcTransactionManager(pool)).build()) {
            assertThatThrownBy(() -> store.find(new JobMaker(store).job().id()))
                    .isInstanceOf(StoreException.class)
                    .hasMessageContaining("schema-")
                    .satisfies(error ->
                            assertThat(((StoreException) error).isTransient()).isFalse());
        }
    }

    private static void jobIsWritten(JdbcJobStore store) {
        try (store) {
            NewJob job = new JobMaker(store).job();
            store.submit(List.of(job), rows -> {});
            assertThat(store.find(job.id()).orElseThrow().state()).isEqualTo(JobState.DELAYED);
        }
    }

    private int rows(String table) {
        return new JdbcTemplate(pool).queryForObject("SELECT COUNT(*) FROM " + table, Integer.class);
    }
}
