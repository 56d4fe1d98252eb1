package io.delayjob.job;

/**
 * What scheduling does when an unfinished job has the same name and key. The database's unique constraint decides,
 * never a check before the insert.
 *
 * <p>While the existing job is {@linkplain JobState#RUNNING running}, {@link #REPLACE} and {@link #POSTPONE} take the
 * key over: the running attempt may end, but no retry or run of the old job follows, and a new job is created, so that
 * no wake-up is lost.
 */
public enum OnExisting {
    /**
     * Leaves the existing job as it is. The default. It is not locked either, for a key that is kept again and again
     * would never come to run. So the kept job may run before the caller's transaction commits, and not see what that
     * writes; where it must, {@link #POSTPONE} it or {@link #REPLACE} it: both hold the job until the commit.
     */
    KEEP,
    /** Gives the existing job the new payload, schedule, queue and due time, and counts runs and failures anew. */
    REPLACE,
    /** Gives the existing job the new due time only, in the queue that is named with it. */
    POSTPONE,
    /** Refuses, with a {@link JobExistsException}. */
    FAIL
}
