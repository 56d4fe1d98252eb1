package io.delayjob.jdbc;

import io.delayjob.internal.jdbc.dialect.BulkWriter;
import io.delayjob.internal.jdbc.dialect.SubmissionSql;
import io.delayjob.job.NewJob;
import java.time.Duration;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** Writes new jobs without keys. Used for databases that have cheaper statements for such jobs. Thread-safe. */
final class UnkeyedJobs {

    /**
     * Maximum wait for the statements of other jobs. A shorter wait would cause more group commits, and each commit
     * waits for a flush of the log.
     */
    private static final Duration SHARING_PATIENCE = Duration.ofMillis(50);

    /** Maximum wait for other calls that share a commit. A commit costs a fifth of a millisecond of CPU time. */
    private static final Duration GATHER_TIME = Duration.ofMillis(2);

    /** Minimum number of jobs in a stream. A stream takes three more round trips than an INSERT. */
    private static final int STREAMED_FROM = 500;

    /** Maximum number of characters in one statement. PostgreSQL writes them in about a second. */
    private static final int MAX_LENGTH = 20_000_000;

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

    void write(List<NewJob> jobs) {
        StreamedJobs stream = jobs.size() < STREAMED_FROM ? null : streamed;
        for (List<NewJob> part : BatchParts.of(jobs, MAX_LENGTH)) {
            if (stream == null || !stream.wrote(part)) {
                insert(part);
            }
        }
    }

    private void insert(List<NewJob> jobs) {
        database.run(insert, parameters.of(jobs), JobRows::id);
    }
}
