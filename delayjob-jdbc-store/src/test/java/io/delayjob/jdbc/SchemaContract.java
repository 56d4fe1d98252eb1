package io.delayjob.jdbc;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatCode;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import com.zaxxer.hikari.HikariDataSource;
import io.delayjob.internal.jdbc.dialect.SqlTemplate;
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

    @Test
    void tables_areOfThisVersionWhenTheScriptWasApplied() {
        new JdbcTemplate(pool).execute("CREATE SCHEMA other_jobs");
        TestSchema.apply(pool, "dj_", "other_jobs");
        try (JdbcJobStore store = JdbcJobStore.builder(pool, new JdbcTransactionManager(pool))
                .tablePrefix("dj_")
                .schema("other_jobs")
                .build()) {
            assertThatCode(store::checkTables).doesNotThrowAnyException();
            new JdbcTemplate(pool).execute("ALTER TABLE other_jobs.dj_history ADD COLUMN added_later INTEGER");
            new JdbcTemplate(pool).execute("DROP TABLE other_jobs.shedlock");

            assertThatCode(store::checkTables)
                    .as("what a later version added, and a lock table that may be elsewhere")
                    .doesNotThrowAnyException();
        }
    }

    @Test
    void tablesOfAnotherVersion_areNamedWithWhatTheyLack() {
        TestSchema.apply(pool, SqlTemplate.DEFAULT_PREFIX, null);
        new JdbcTemplate(pool).execute("ALTER TABLE delayjob_history DROP COLUMN in_doubt");
        new JdbcTemplate(pool).execute("ALTER TABLE delayjob_history DROP COLUMN failure_trace");
        try (JdbcJobStore store =
                JdbcJobStore.builder(pool, new JdbcTransactionManager(pool)).build()) {
            assertThatThrownBy(store::checkTables)
                    .isInstanceOf(StoreException.class)
                    .hasMessage(
                            "The table delayjob_history lacks the columns [failure_trace, in_doubt], "
                                    + "because it was made for another version of delayjob. Add these columns as "
                                    + "in this version's script schema-%s.sql.",
                            platform())
                    .satisfies(error ->
                            assertThat(((StoreException) error).isTransient()).isFalse());
        }
    }

    @Test
    void missingTable_isFoundAtTheCheck() {
        TestSchema.apply(pool, SqlTemplate.DEFAULT_PREFIX, null);
        new JdbcTemplate(pool).execute("DROP TABLE delayjob_attempt");
        try (JdbcJobStore store =
                JdbcJobStore.builder(pool, new JdbcTransactionManager(pool)).build()) {
            assertThatThrownBy(store::checkTables)
                    .isInstanceOf(StoreException.class)
                    .hasMessageContaining("reading the columns of its table delayjob_attempt")
                    .hasMessageContaining("schema-");
        }
    }

    @Test
    void tablesOfAVersionWithoutAnIdentity_areFoundAtTheCheck() {
        TestSchema.apply(pool, SqlTemplate.DEFAULT_PREFIX, null);
        new JdbcTemplate(pool).execute("DROP TABLE delayjob_identity");
        try (JdbcJobStore store =
                JdbcJobStore.builder(pool, new JdbcTransactionManager(pool)).build()) {
            assertThatThrownBy(store::checkTables)
                    .isInstanceOf(StoreException.class)
                    .hasMessageContaining("reading the columns of its table delayjob_identity")
                    .hasMessageContaining("schema-");
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
