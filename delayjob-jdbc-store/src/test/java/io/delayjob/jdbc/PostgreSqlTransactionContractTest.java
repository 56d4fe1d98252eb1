package io.delayjob.jdbc;

import static org.assertj.core.api.Assertions.assertThat;

import com.zaxxer.hikari.HikariDataSource;
import io.delayjob.job.CancelResult;
import io.delayjob.job.OnExisting;
import io.delayjob.job.Partition;
import io.delayjob.job.Scheduled.Outcome;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;
import org.springframework.transaction.TransactionDefinition;
import org.springframework.transaction.support.TransactionTemplate;

class PostgreSqlTransactionContractTest extends TransactionContract {

    @Override
    HikariDataSource newStore() {
        return TestPostgres.newStore();
    }

    /** A transaction of this level still sees the job that has left its key. */
    @Test
    void keyThatWasGivenFreeSince_isTakenByAJobOfANewQueue_underRepeatableRead() {
        jobs.submit(jobs.job("k", OnExisting.KEEP));
        TransactionTemplate repeatable = new TransactionTemplate(manager);
        repeatable.setIsolationLevel(TransactionDefinition.ISOLATION_REPEATABLE_READ);

        repeatable.executeWithoutResult(status -> {
            assertThat(store.find(JobMaker.NAME, "k")).isPresent();
            assertThat(cancelledElsewhere()).isEqualTo(CancelResult.CANCELLED);
            assertThat(jobs.submit(jobs.job("k", OnExisting.FAIL, new Partition("queue-of-the-next-job", 0)))
                            .outcome())
                    .isEqualTo(Outcome.CREATED);
        });
    }

    private CancelResult cancelledElsewhere() {
        try {
            return threads.submit(() -> store.cancel(JobMaker.NAME, "k", JobMaker.NOW))
                    .get(20, TimeUnit.SECONDS);
        } catch (Exception failed) {
            throw new AssertionError("the other transaction has waited or failed", failed);
        }
    }
}
