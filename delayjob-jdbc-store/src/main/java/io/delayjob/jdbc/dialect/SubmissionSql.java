package io.delayjob.jdbc.dialect;

import org.jspecify.annotations.Nullable;

/** New jobs and their keys. Immutable and thread-safe. */
public abstract class SubmissionSql {

    SubmissionSql() {}

    /**
     * Whether {@link #insertJobs()} inserts all of a batch or, by an error, nothing, and answers no rows. An insert
     * that meets a taken key may then lock it, and the gap beside it, so it is better to look first.
     */
    public boolean insertsAllOrNothing() {
        return false;
    }

    /** Inserts jobs whose key, if any, is free, and answers their ids. Of one key the batch holds one job. */
    public abstract Script insertJobs();

    /**
     * As {@link #insertJobs()}, of jobs without keys: inserts all of them or, by an error, none, and answers nothing.
     * {@code null} if that is no less work.
     */
    public @Nullable Script insertUnkeyedJobs() {
        return null;
    }

    /** Writes many jobs without keys as one stream; {@code null} if the database or its driver has no such way. */
    public @Nullable BulkWriter bulkWriter() {
        return null;
    }

    /**
     * As {@link #insertJobs()}, of one job, whose values are bound one by one. {@code null} if that is no less work than
     * a batch of one.
     */
    public @Nullable Script insertJob() {
        return null;
    }

    /** As {@link #insertUnkeyedJobs()}, of one job, whose values are bound one by one. */
    public @Nullable Script insertUnkeyedJob() {
        return null;
    }

    /** Name, key, id and state of the unfinished jobs of these keys. */
    public String findKeys() {
        return """
                SELECT j.name, j.job_key, j.id, j.state
                FROM {keys}
                JOIN {job} j ON j.name = k.name AND j.job_key = k.job_key
                """;
    }

    /**
     * As {@link #findKeys()}, but shows the jobs of this moment, even if the transaction's plain reads show those of its
     * beginning.
     */
    public String findLatestKeys() {
        return findKeys();
    }

    /**
     * Gives the waiting jobs of these keys all values of the new jobs except the id, and answers them as due rows with
     * their key.
     */
    public abstract Script replaceJobs();

    /** Gives the waiting jobs of these keys their new due time and partition, and answers them as due rows with their key. */
    public abstract Script postponeJobs();

    /** Takes these keys from running jobs, cancels their further attempts, and answers their ids. */
    public abstract Script takeKeys();
}
