package io.delayjob.jdbc;

import static org.assertj.core.api.Assertions.assertThat;

import com.zaxxer.hikari.HikariDataSource;
import io.delayjob.job.OnExisting;
import io.delayjob.job.Partition;
import java.io.ByteArrayOutputStream;
import java.io.PrintStream;
import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.concurrent.Callable;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.parallel.Isolated;
import org.springframework.jdbc.core.JdbcTemplate;
import org.springframework.jdbc.support.JdbcTransactionManager;

/** Jobs of a queue whose row is gone, as after a partial restore, and an instance that starts then. */
@Isolated("it reads what the whole JVM logs")
class LostQueueTest {

    private static final Partition LOST = new Partition("lost", 3);

    private final HikariDataSource pool = TestH2.newStore();
    private final JdbcTemplate jdbc = new JdbcTemplate(pool);
    private JdbcJobStore store;
    private int number;

    @BeforeEach
    void loseAQueue() {
        try (JdbcJobStore before = newStore()) {
            JobMaker jobs = new JobMaker(before);
            before.submit(
                    List.of(jobs.job(), jobs.job(null, OnExisting.KEEP, LOST), jobs.job(null, OnExisting.KEEP, LOST)),
                    jobs.sink);
        }
        number = jdbc.queryForObject("SELECT number FROM delayjob_queue WHERE name = 'lost'", Integer.class);
        jdbc.update("DELETE FROM delayjob_queue WHERE name = 'lost'");
        store = newStore();
    }

    @AfterEach
    void close() {
        store.close();
        pool.close();
    }

    private JdbcJobStore newStore() {
        return JdbcJobStore.builder(pool, new JdbcTransactionManager(pool)).build();
    }

    @Test
    void otherQueuesAreInUseAllTheSame() {
        assertThat(store.partitionsInUse()).containsOnlyKeys(JobMaker.PARTITION);
    }

    @Test
    void itIsSaidOnceWhatToDo() throws Exception {
        assertThat(loggedBy(store::partitionsInUse))
                .containsOnlyOnce("WARN")
                .contains("row of queue number %d is missing".formatted(number), "Insert the row again");
        assertThat(loggedBy(store::partitionsInUse)).isEmpty();
    }

    @Test
    void itIsInUseAgainOnceItsRowIsBack() {
        store.partitionsInUse();
        jdbc.update("INSERT INTO delayjob_queue (name, number) OVERRIDING SYSTEM VALUE VALUES ('lost', ?)", number);
        assertThat(store.partitionsInUse()).containsOnlyKeys(JobMaker.PARTITION, LOST);
    }

    @Test
    void itsJobsCanBeMovedToANewRowOfItsName() {
        store.partitionsInUse();
        jdbc.update("INSERT INTO delayjob_queue (name) VALUES ('lost')");
        int now = jdbc.queryForObject("SELECT number FROM delayjob_queue WHERE name = 'lost'", Integer.class);
        jdbc.update(
                "UPDATE delayjob_job SET partition_id = partition_id + (? - ?) * 1024"
                        + " WHERE partition_id >= ? * 1024 AND partition_id < (? + 1) * 1024",
                now,
                number,
                number,
                number);
        assertThat(now).isNotEqualTo(number);
        assertThat(store.partitionsInUse()).containsOnlyKeys(JobMaker.PARTITION, LOST);
    }

    private static String loggedBy(Callable<?> call) throws Exception {
        PrintStream before = System.err;
        ByteArrayOutputStream logged = new ByteArrayOutputStream();
        System.setErr(new PrintStream(logged, true, StandardCharsets.UTF_8));
        try {
            call.call();
        } finally {
            System.setErr(before);
        }
        return logged.toString(StandardCharsets.UTF_8);
    }
}
