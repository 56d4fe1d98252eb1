package io.delayjob.jdbc;

import static org.assertj.core.api.Assertions.assertThat;

import com.zaxxer.hikari.HikariDataSource;
import io.delayjob.job.GroupRef;
import io.delayjob.store.DueSink;
import java.io.ByteArrayOutputStream;
import java.io.PrintStream;
import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.UUID;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.parallel.Isolated;
import org.springframework.jdbc.core.JdbcTemplate;
import org.springframework.jdbc.support.JdbcTransactionManager;

/** The log about a group whose row an older version cannot read. */
@Isolated("it reads what the whole JVM logs")
class UnreadableGroupTest {

    @Test
    void unreadableGroup_isLoggedOnceWithItsIdAndTheReason() {
        UUID id = new UUID(0, 1);
        List<String> lines;
        try (HikariDataSource pool = TestH2.newStore();
                JdbcJobStore store = JdbcJobStore.builder(pool, new JdbcTransactionManager(pool))
                        .build()) {
            GroupRef group = new GroupRef(id, "import");
            store.groups().enter(group, JobMaker.NOW);
            store.groups().close(group, null);
            new JdbcTemplate(pool).update("UPDATE delayjob_group SET state = 99");
            lines = logged(() -> {
                for (int pass = 0; pass < 3; pass++) {
                    assertThat(store.groups().fold(JobMaker.NOW, 7, DueSink.NONE, ended -> {}))
                            .as("nothing to repeat at once")
                            .isFalse();
                    assertThat(store.groups().unended(10)).isEmpty();
                }
            });
        }

        assertThat(lines)
                .singleElement()
                .asString()
                .contains("WARN", id.toString(), "does not end", "Invalid state 99", "update this instance");
    }

    @Test
    void manyUnreadableGroups_takeFewStatementsAndFewLogLines() {
        int count = 10 * ReadableGroups.MAX_LOGGED;
        try (HikariDataSource pool = TestH2.newStore();
                JdbcJobStore store = JdbcJobStore.builder(pool, new JdbcTransactionManager(pool))
                        .build()) {
            JdbcTemplate jdbc = new JdbcTemplate(pool);
            for (int i = 0; i < count; i++) {
                store.groups().enter(new GroupRef(new UUID(0, i), "unreadable-" + i), JobMaker.NOW);
            }
            jdbc.update("UPDATE delayjob_group SET state = 99");
            store.groups().enter(new GroupRef(new UUID(1, 0), "readable"), JobMaker.NOW.plusSeconds(1));
            jdbc.execute("SET QUERY_STATISTICS TRUE");

            List<String> lines =
                    logged(() -> assertThat(store.groups().unended(1)).hasSize(1));

            assertThat(lines).hasSize(ReadableGroups.MAX_LOGGED);
            assertThat(jdbc.queryForObject(
                            "SELECT SUM(execution_count) FROM information_schema.query_statistics"
                                    + " WHERE sql_statement LIKE '%delayjob_group%' AND sql_statement NOT LIKE '%query_statistics%'",
                            Integer.class))
                    .as("statements that read groups")
                    .isBetween(2, 6);
        }
    }

    private static List<String> logged(Runnable work) {
        ByteArrayOutputStream lines = new ByteArrayOutputStream();
        PrintStream before = System.err;
        System.setErr(new PrintStream(lines, true, StandardCharsets.UTF_8));
        try {
            work.run();
        } finally {
            System.setErr(before);
        }
        return lines.toString(StandardCharsets.UTF_8).lines().toList();
    }
}
