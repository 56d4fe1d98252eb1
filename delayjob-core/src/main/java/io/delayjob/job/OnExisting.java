package io.delayjob.job;

/**
 * Says what a call of {@code schedule} does if an unfinished job has the same name and key.
 *
 * <p>While the existing job is {@linkplain JobState#RUNNING running}, {@link #REPLACE} and {@link #POSTPONE} create a
 * new job, which takes over the key. The running attempt may finish, but no retry and no further run of the old job
 * follows.
 */
public enum OnExisting {
    /**
     * Keeps the existing job without any change; the default. The call does not lock the existing job. So the job may
     * run before the caller's transaction commits, and may miss the writes of that transaction. If the job must see
     * these writes, use {@link #POSTPONE} or {@link #REPLACE}, which lock the job until the commit.
     */
    KEEP,
    /**
     * Gives the existing job the new payload, schedule, queue and due time. The job starts again with its first run and
     * without failures.
     */
    REPLACE,
    /** Gives the existing job the due time and the queue of the call, and changes nothing else. */
    POSTPONE,
    /** Throws a {@link JobExistsException} from the call of {@code schedule}. */
    FAIL
}
