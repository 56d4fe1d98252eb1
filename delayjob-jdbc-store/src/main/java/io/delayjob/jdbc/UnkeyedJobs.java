package io.delayjob.jdbc;

import io.delayjob.jdbc.dialect.BulkWriter;
import io.delayjob.jdbc.dialect.SubmissionSql;
import io.delayjob.job.NewJob;
import java.time.Duration;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** Writes new jobs without keys, in databases that have cheaper statements for such jobs. Thread-safe. */
final class UnkeyedJobs {

    /**
     * Maximum time that a single job waits for the statements of other jobs. Most statements take less time, even on
     * slow disks. With a shorter time, there would be more groups, with fewer jobs each. Each group waits until the
     * server has flushed its log for the previous group.
     */
    private static final Duration SHARING_PATIENCE = Duration.ofMillis(50);

    /**
     * A single job waits at most this long for other jobs, so that these jobs share one commit. A commit costs the
     * server a fifth of a millisecond of CPU time, so a shared commit is worth a wait of this length.
     */
    private static final Duration GATHER_TIME = Duration.ofMillis(2);

    private final Database database;
    private final NewJobParameters parameters;
    private final Database.Batched insert;
    private final @Nullable StreamedJobs streamed;
    private final GroupCommit<NewJob> loneJobs = new GroupCommit<>(this::insert, SHARING_PATIENCE, GATHER_TIME);

    private UnkeyedJobs(
            Database database, NewJobParameters parameters, Database.Batched insert, @Nullable StreamedJobs streamed) {
        this.database = database;
        this.parameters = parameters;
        this.insert = insert;
        this.streamed = streamed;
    }

    /** Returns a writer, or {@code null} if the database has no cheaper statement for jobs without keys. */
    static @Nullable UnkeyedJobs ifAny(Database database, Queues queues, NewJobParameters parameters) {
        SubmissionSql sql = database.dialect().submission();
        Database.Batched insert = database.keptIfAny(sql.insertUnkeyedJobs(), sql.insertUnkeyedJob());
        BulkWriter writer = sql.bulkWriter();
        return insert == null
                ? null
                : new UnkeyedJobs(
                        database,
                        parameters,
                        insert,
                        writer == null ? null : new StreamedJobs(database, queues, writer));
    }

    GroupCommit<NewJob> loneJobs() {
        return loneJobs;
    }

    /** Writes all jobs, or no job if the method throws an exception. */
    void write(List<NewJob> jobs) {
        if (streamed == null || !streamed.wrote(jobs)) {
            insert(jobs);
        }
    }

    private void insert(List<NewJob> jobs) {
        database.run(insert, parameters.of(jobs), JobRows::id);
    }
}
