package io.delayjob.jdbc;

import io.delayjob.jdbc.dialect.StoredState;
import io.delayjob.job.Job;
import io.delayjob.job.JobState;
import java.time.Instant;

/** Deletes ended jobs from the history. Thread-safe. */
final class HistoryPurge {

    private final Transactions transactions;
    private final Database database;
    private final Database.Steps purge;

    HistoryPurge(Transactions transactions, Database database) {
        this.transactions = transactions;
        this.database = database;
        this.purge = database.ownSteps(database.dialect().ends().purgeHistory());
    }

    int purge(JobState state, Instant before, int limit) {
        Parameters parameters = Parameters.none()
                .set("state", StoredState.codeOf(state))
                .set("declaredKey", Job.DECLARED_KEY)
                .set("before", before.toEpochMilli())
                .set("limit", limit);
        return transactions
                .own("purging the history", () -> database.run(purge, parameters, JobRows::id))
                .size();
    }
}
