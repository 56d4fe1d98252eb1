package io.delayjob.jdbc.dialect;

import org.jspecify.annotations.Nullable;

/** New jobs and their keys. Immutable and thread-safe. */
public abstract class SubmissionSql {

    SubmissionSql() {}

    /**
     * Tells whether {@link #insertJobs()} fails with an error if it cannot insert every job of a batch. If so, {@link
     * #insertJobs()} returns no rows. The store must then check before the insert which keys are taken. Otherwise, an
     * insert with a taken key may lock the key and the gap next to it.
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
     * Inserts jobs that follow ended jobs and have no keys. If an unfinished or ended job already has the id of a new
     * job, the statement leaves out the new job. The statement may return ids.
     */
    public abstract Script insertFollowers();

    /**
     * Inserts jobs without keys. If the statement fails with an error, it has inserted none of them. The statement
     * returns nothing. The method returns {@code null} if such a statement saves no work compared with {@link
     * #insertJobs()}.
     */
    public @Nullable Script insertUnkeyedJobs() {
        return null;
    }

    /**
     * Returns an object that writes many jobs without keys as one stream. The result is {@code null} if the database or
     * its driver has no stream.
     */
    public @Nullable BulkWriter bulkWriter() {
        return null;
    }

    /**
     * Inserts one job like {@link #insertJobs()}, with one parameter for each value. The method returns {@code null} if
     * such a statement is no cheaper than a batch of one job.
     */
    public @Nullable Script insertJob() {
        return null;
    }

    /** Inserts one job like {@link #insertUnkeyedJobs()}, with one parameter for each value. */
    public @Nullable Script insertUnkeyedJob() {
        return null;
    }

    /** Returns name, key, id and state of the unfinished jobs of these keys. */
    public String findKeys() {
        return """
                SELECT j.name, j.job_key, j.id, {seen_state_of_job} AS state
                FROM {keys}
                JOIN {job} j ON j.name = k.name AND j.job_key = k.job_key
                """;
    }

    /**
     * Like {@link #findKeys()}, but always returns the jobs as they are now. It does so even in a transaction with
     * plain reads that show only the state at its beginning.
     */
    public String findLatestKeys() {
        return findKeys();
    }

    /**
     * Locks the waiting jobs of these keys, which are the jobs that {@link #replaceJobs()} finds. Returns name, key and
     * extras of the jobs that have extras.
     */
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
     * stay unchanged. Returns the changed jobs as due rows with their keys.
     */
    public abstract Script replaceJobs();

    /**
     * Gives the waiting jobs of these keys their new due time and partition. Jobs that await an answer stay unchanged.
     * Returns the changed jobs as due rows with their keys.
     */
    public abstract Script postponeJobs();

    /**
     * Removes the given keys from jobs that run or await an answer. Requests the cancellation of these jobs, and
     * returns their ids.
     */
    public abstract Script takeKeys();
}
