package io.delayjob.internal.jdbc.dialect;

import org.jspecify.annotations.Nullable;

/** The SQL for new jobs and for their keys. Immutable and thread-safe. */
public abstract class SubmissionSql {

    SubmissionSql() {}

    /**
     * Tells whether {@link #insertJobs()} fails if the script cannot insert every job of a batch. If the result is
     * {@code true}, the script returns no rows. In this case, before the store first tries to insert jobs with keys, it
     * checks which keys are taken.
     */
    public boolean insertsAllOrNothing() {
        return false;
    }

    /**
     * Inserts each job if its key is free or {@code null}, and returns the ids of the inserted jobs. A batch has at
     * most one job for each key.
     */
    public abstract Script insertJobs();

    /**
     * Inserts jobs that follow another job or a group. These jobs have no keys. If an unfinished or ended job already
     * has the id of a new job, the statement leaves out the new job. The statement may return ids.
     */
    public abstract Script insertFollowers();

    /**
     * Inserts jobs without keys. If the statement fails, no job is inserted. The script returns nothing. {@code null}
     * if {@link #insertJobs()} is just as cheap.
     */
    public @Nullable Script insertUnkeyedJobs() {
        return null;
    }

    /**
     * Returns the object that writes many jobs without keys as one stream. {@code null} if the database or its driver
     * supports no such stream.
     */
    public @Nullable BulkWriter bulkWriter() {
        return null;
    }

    /**
     * Inserts one job like {@link #insertJobs()}, with one parameter for each value. {@code null} if a batch of one job
     * is just as quick.
     */
    public @Nullable Script insertJob() {
        return null;
    }

    /** Inserts one job like {@link #insertUnkeyedJobs()}, with one parameter for each value. */
    public @Nullable Script insertUnkeyedJob() {
        return null;
    }

    /** Returns the name, key, id and state of the unfinished jobs with these keys. */
    public String findKeys() {
        return """
                SELECT j.name, j.job_key, j.id, {seen_state_of_job} AS state
                FROM {keys}
                JOIN {job} j ON j.name = k.name AND j.job_key = k.job_key
                """;
    }

    /**
     * Like {@link #findKeys()}, but always returns the present data of the jobs. In some transactions, {@code
     * findKeys()} may return older data.
     */
    public String findLatestKeys() {
        return findKeys();
    }

    /** Locks the waiting jobs of these keys. Returns name, key and extras of the jobs that have extras. */
    public String lockWaiting() {
        return """
                SELECT j.name, j.job_key, j.extras
                FROM {job} j
                WHERE j.id IN (SELECT m.id FROM {keys} JOIN {job} m ON m.name = k.name AND m.job_key = k.job_key)
                  AND j.state = {delayed} AND NOT j.awaiting AND j.extras IS NOT NULL
                ORDER BY j.name, j.job_key
                FOR UPDATE
                """;
    }

    /**
     * Updates the waiting jobs of these keys with all values of the new jobs except the id. Jobs that await an answer
     * stay unchanged. Returns the due row and the key of each changed job.
     */
    public abstract Script replaceJobs();

    /**
     * Gives the waiting jobs of these keys their new due time and partition. Jobs that await an answer stay unchanged.
     * Returns the due row and the key of each changed job.
     */
    public abstract Script postponeJobs();

    /**
     * Removes the given keys from jobs that are running or awaiting an answer. Requests the cancellation of these jobs,
     * and returns their ids.
     */
    public abstract Script takeKeys();
}
