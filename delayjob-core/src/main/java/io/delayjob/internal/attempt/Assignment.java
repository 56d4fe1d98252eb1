package io.delayjob.internal.attempt;

import io.delayjob.job.Job;
import java.time.Duration;
import org.jspecify.annotations.Nullable;

/** A claimed job and the slot that it was given. It keeps the slot until {@link #finished}. Thread-safe. */
public interface Assignment {

    Job job();

    /** Tells whether the job's handler or queue is paused, so that its handler must not be called. */
    boolean isPaused();

    /** Gives the job back, because its handler was not called, or the stop interrupted it. The slot stays taken. */
    void giveBack();

    /** Gives the job back, and leaves it to other instances for a while. The slot stays taken. */
    void setAside();

    /** Lets no further job of this handler be claimed here for that time, and for at most a minute. */
    void rest(Duration time);

    /**
     * Frees the slot.
     *
     * @param took run time of the handler; {@code null} if it was not called
     * @return the assignment that has got the slot; {@code null} if no job waits for it
     */
    @Nullable
    Assignment finished(@Nullable Duration took);
}
