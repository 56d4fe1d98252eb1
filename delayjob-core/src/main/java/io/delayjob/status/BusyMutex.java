package io.delayjob.status;

import io.delayjob.job.JobId;
import org.jspecify.annotations.Nullable;

/**
 * A mutex that jobs are waiting for. The instance that decides about the mutex has these jobs in memory.
 *
 * @param queue the queue of the mutex. In this queue, at most one job with this mutex runs at a time
 * @param holder the job that holds the mutex; {@code null} if the instance does not know the job yet
 * @param waiting number of due rows in memory that wait for the mutex
 */
public record BusyMutex(
        String queue, String mutex, @Nullable JobId holder, int waiting) {

    /** Maximum number of mutexes that an instance lists. */
    public static final int MOST_LISTED = 100;
}
