package io.delayjob.job;

/**
 * Says what a call of schedule does if an unfinished job has the same name and key. The database's unique constraint
 * decides, not a check before the insert.
 *
 * <p>While the existing job is {@linkplain JobState#RUNNING running}, {@link #REPLACE} and {@link #POSTPONE} take
 * over its key. The running attempt may end, but no retry or run of the old job follows. A new job is created, so no
 * wake-up is lost.
 */
public enum OnExisting {
    /**
     * Leaves the existing job as it is. The default. The job is not locked either, because a job whose key is kept
     * again and again would otherwise never run. So the kept job may run before the caller's transaction commits, and
     * may not see the writes of that transaction. If the job must see these writes, use {@link #POSTPONE} or {@link
     * #REPLACE}: both hold the job until the commit.
     */
    KEEP,
    /**
     * Gives the existing job the new payload, schedule, queue and due time. Its runs and failures are counted from
     * the start.
     */
    REPLACE,
    /** Gives the existing job only the new due time and the queue of the call. */
    POSTPONE,
    /** Refuses the call with a {@link JobExistsException}. */
    FAIL
}
