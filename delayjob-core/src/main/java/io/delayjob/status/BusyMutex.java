package io.delayjob.status;

import io.delayjob.job.JobId;
import org.jspecify.annotations.Nullable;

/**
 * Describes a mutex for which jobs wait. The instance that decides about the mutex has these jobs in memory.
 *
 * @param queue the queue in which no two jobs with this mutex run at a time
 * @param holder the job that holds the mutex; {@code null} while an instance that has just become responsible for the
 *     mutex still reads the running jobs
 * @param waiting number of due rows in memory that wait for the mutex
 */
public record BusyMutex(
        String queue, String mutex, @Nullable JobId holder, int waiting) {

    /** Maximum number of mutexes that an instance lists. */
    public static final int MOST_LISTED = 100;
}
