package io.delayjob.jdbc;

import static org.assertj.core.api.Assertions.assertThat;

import com.zaxxer.hikari.HikariDataSource;
import io.delayjob.job.GroupCounts;
import io.delayjob.job.NewJob;
import io.delayjob.job.OnExisting;
import java.util.List;
import java.util.concurrent.Future;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicReference;
import org.junit.jupiter.api.Test;
import org.springframework.jdbc.support.JdbcTransactionManager;

class PostgreSqlGroupTransactionContractTest extends GroupTransactionContract {

    @Override
    HikariDataSource newStore() {
        return TestPostgres.newStore();
    }

    /**
     * The replacement has found a waiting member, and will write the group of that member into the row that has its
     * key. Meanwhile another caller would give the key to a job of its own, which nobody has counted as a member.
     */
    @Test
    void jobThatTakesTheKeyOfAMemberWhileTheMemberIsReplaced_staysAlone() throws Exception {
        NewJob keyed = jobs.job("k", OnExisting.KEEP);
        NewJob member = keyed.with(keyed.task().withExtras(member().extras()));
        jobs.submit(member);
        NewJob next = jobs.job("k", OnExisting.KEEP);
        AtomicBoolean hasFoundMember = new AtomicBoolean();
        AtomicReference<Future<?>> rival = new AtomicReference<>();
        LosingDataSource watched = new LosingDataSource(pool);
        watched.beforeStatement = sql -> {
            if (hasFoundMember.getAndSet(sql.contains("j.extras IS NOT NULL"))) {
                rival.set(threads.submit(() -> {
                    store.cancel(member.id(), JobMaker.NOW);
                    store.submit(List.of(next), rows -> {});
                }));
                while (!rival.get().isDone() && !isAnyWaiting()) {
                    Thread.onSpinWait();
                }
            }
        };

        try (JdbcJobStore replacing = JdbcJobStore.builder(watched, new JdbcTransactionManager(watched))
                .build()) {
            replacing.submit(List.of(jobs.job("k", OnExisting.REPLACE)), rows -> {});
        }
        rival.get().get(20, TimeUnit.SECONDS);

        assertThat(store.find(next.id()).orElseThrow().extras().group()).isNull();
        assertThat(store.groups().find("import").orElseThrow().counts()).isEqualTo(new GroupCounts(1, 0, 0, 1));
    }

    /** Tells whether a session of this test waits for another one. */
    private boolean isAnyWaiting() {
        Boolean waiting = jdbc.queryForObject("""
                SELECT EXISTS (
                    SELECT 1 FROM pg_stat_activity WHERE datname = current_database() AND wait_event_type = 'Lock')
                """, Boolean.class);
        return Boolean.TRUE.equals(waiting);
    }
}
