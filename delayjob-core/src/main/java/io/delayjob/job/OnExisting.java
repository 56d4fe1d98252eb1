package io.delayjob.job;

/**
 * Says what a call of {@code schedule} does if an unfinished job has the same name and key. The unique constraint of
 * the database finds this out, not a check before the insert.
 *
 * <p>While the existing job is {@linkplain JobState#RUNNING running}, {@link #REPLACE} and {@link #POSTPONE} create a
 * new job, which takes over the key. The running attempt may end, but no retry or run of the old job follows.
 */
public enum OnExisting {
    /**
     * Does not change the existing job. The default. The job is not locked either, because frequent calls with its key
     * could otherwise prevent it from running. So the kept job may run before the caller's transaction commits, and may
     * not see the writes of that transaction. If the job must see these writes, use {@link #POSTPONE} or {@link
     * #REPLACE}. Both hold the job until the commit.
     */
    KEEP,
    /**
     * Gives the existing job the new payload, schedule, queue and due time. Its runs and failures are counted from the
     * beginning.
     */
    REPLACE,
    /** Gives the existing job only the new due time and the queue of the call. */
    POSTPONE,
    /** Refuses the call with a {@link JobExistsException}. */
    FAIL
}
