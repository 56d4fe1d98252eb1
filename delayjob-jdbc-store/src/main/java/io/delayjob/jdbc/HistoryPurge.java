package io.delayjob.jdbc;

import io.delayjob.internal.jdbc.dialect.StoredState;
import io.delayjob.job.Job;
import io.delayjob.job.JobState;
import java.time.Instant;

/** Deletes ended jobs from the history. Thread-safe. */
final class HistoryPurge {

    private static final String DOING = "purging the history";

    private final Transactions transactions;
    private final Database database;
    private final Database.Steps purge;
    private final KeepTimes keepTimes;

    HistoryPurge(Transactions transactions, Database database) {
        this.transactions = transactions;
        this.database = database;
        this.purge = database.ownSteps(database.dialect().ends().purgeHistory());
        this.keepTimes = new KeepTimes(database);
    }

    int purge(JobState state, Instant before, int limit) {
        return purge(state, KeepTimes.GENERAL, before, limit);
    }

    int purgeKept(Instant now, int limit) {
        int purged = 0;
        for (int seconds : transactions.own(DOING, keepTimes::find)) {
            purged += purge(JobState.FINISHED, seconds, now.minusSeconds(seconds), limit - purged);
            if (purged == limit) {
                break;
            }
        }
        return purged;
    }

    private int purge(JobState state, int keepSeconds, Instant before, int limit) {
        Parameters parameters = Parameters.none()
                .set("state", StoredState.codeOf(state))
                .set("keepSeconds", keepSeconds)
                .set("declaredKey", Job.DECLARED_KEY)
                .set("before", before.toEpochMilli())
                .set("limit", limit);
        return transactions
                .own(DOING, () -> database.run(purge, parameters, JobRows::id))
                .size();
    }
}
