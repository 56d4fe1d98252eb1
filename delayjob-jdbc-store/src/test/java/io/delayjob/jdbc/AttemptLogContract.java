package io.delayjob.jdbc;

import static org.assertj.core.api.Assertions.assertThat;

import com.zaxxer.hikari.HikariDataSource;
import io.delayjob.job.AttemptRecord;
import io.delayjob.job.Completion;
import io.delayjob.job.Job;
import io.delayjob.job.JobOutcome;
import io.delayjob.job.NewJob;
import io.delayjob.job.Transition;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.springframework.jdbc.support.JdbcTransactionManager;

/** The log of a job that repeats for years. */
abstract class AttemptLogContract {

    /** A pool over a new database that holds delayjob's tables. */
    abstract HikariDataSource newStore();

    @Test
    void log_keepsTheNewestLinesOfAJobThatGoesOn() {
        try (HikariDataSource pool = newStore();
                JdbcJobStore store = JdbcJobStore.builder(pool, new JdbcTransactionManager(pool))
                        .build()) {
            JobMaker jobs = new JobMaker(store);
            NewJob job = jobs.job();
            jobs.submit(job);
            int runs = 3 * AttemptRows.LINES_KEPT;

            for (int run = 1; run <= runs; run++) {
                Job claimed = jobs.claim(
                                List.of(store.find(job.id()).orElseThrow().toDueRow()))
                        .get(0);
                store.complete(List.of(goingOn(jobs, claimed)));
            }

            List<AttemptRecord> lines = store.attempts(job.id(), 2 * runs);
            assertThat(lines).hasSizeBetween(AttemptRows.LINES_KEPT, AttemptRows.LINES_KEPT + AttemptRows.PRUNED_EVERY);
            assertThat(lines.get(0).run()).isEqualTo(runs);
        }
    }

    private static Completion goingOn(JobMaker jobs, Job job) {
        AttemptRecord line = new AttemptRecord(
                job.id(),
                job.run(),
                job.attempt(),
                "SUCCEEDED",
                JobMaker.WORKER,
                JobMaker.NOW,
                JobMaker.NOW,
                JobMaker.NOW,
                JobMaker.NOW,
                null);
        return new Completion(
                job,
                new JobOutcome.Succeeded(),
                new Transition.Again(job.run() + 1, JobMaker.NOW, JobMaker.NOW, 0),
                jobs.token(),
                JobMaker.NOW,
                null,
                true,
                List.of(line));
    }
}
