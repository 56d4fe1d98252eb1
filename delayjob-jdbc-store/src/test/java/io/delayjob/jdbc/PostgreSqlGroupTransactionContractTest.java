package io.delayjob.jdbc;

import static org.assertj.core.api.Assertions.assertThat;

import com.zaxxer.hikari.HikariDataSource;
import io.delayjob.job.NewJob;
import io.delayjob.job.OnExisting;
import java.util.List;
import java.util.concurrent.Future;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;

class PostgreSqlGroupTransactionContractTest extends GroupTransactionContract {

    @Override
    HikariDataSource newStore() {
        return TestPostgres.newStore();
    }

    @Test
    void memberThatIsClaimedWhileItIsReplaced_staysAlone() throws Exception {
        NewJob keyed = jobs.job("k", OnExisting.KEEP);
        jobs.submit(keyed.with(keyed.task().withExtras(member().extras())));
        NewJob replacing = jobs.job("k", OnExisting.REPLACE);

        Future<?> replacement = transaction.execute(status -> {
            // The claim of another instance, which is committed after the replacement has found the waiting member.
            jdbc.update("UPDATE delayjob_job SET state = 1, owner = 1 WHERE job_key = 'k'");
            Future<?> waiting = threads.submit(() -> store.submit(List.of(replacing), rows -> {}));
            while (!waiting.isDone() && !isAnyWaiting()) {
                Thread.onSpinWait();
            }
            return waiting;
        });
        replacement.get(20, TimeUnit.SECONDS);

        assertThat(store.find(replacing.id()).orElseThrow().extras().group()).isNull();
        assertThat(store.find(keyed.id()).orElseThrow().extras().group()).isNotNull();
        assertThat(store.groups().find("import").orElseThrow().counts().begun()).isEqualTo(1);
    }

    private boolean isAnyWaiting() {
        Boolean waiting =
                jdbc.queryForObject("SELECT EXISTS (SELECT 1 FROM pg_locks WHERE NOT granted)", Boolean.class);
        return Boolean.TRUE.equals(waiting);
    }
}
