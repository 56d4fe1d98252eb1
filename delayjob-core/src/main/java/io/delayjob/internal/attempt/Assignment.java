package io.delayjob.internal.attempt;

import io.delayjob.job.Job;
import java.time.Duration;
import org.jspecify.annotations.Nullable;

/** A claimed job that has a slot. The job keeps the slot until {@link #finished} is called. Thread-safe. */
public interface Assignment {

    Job job();

    /** Tells whether the job's handler or queue is paused, so that its handler must not be called. */
    boolean isPaused();

    /**
     * Releases the job, because its handler was not called, or was interrupted by the stop of the instance. The slot
     * stays taken.
     */
    void giveBack();

    /** Releases the job, and leaves it to other instances for a while. The slot stays taken. */
    void setAside();

    /** Prevents further claims for this handler on this instance for this time, but for at most a minute. */
    void rest(Duration time);

    /**
     * Frees the slot.
     *
     * @param took run time of the handler; {@code null} if it was not called
     * @return the next assignment, which now has the slot; {@code null} if no job waits for it
     */
    @Nullable
    Assignment finished(@Nullable Duration took);
}
