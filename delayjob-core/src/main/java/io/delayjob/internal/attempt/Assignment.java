package io.delayjob.internal.attempt;

import io.delayjob.job.Job;
import java.time.Duration;
import org.jspecify.annotations.Nullable;

/** Represents a claimed job that has a slot. It keeps the slot until {@link #finished} is called. Thread-safe. */
public interface Assignment {

    Job job();

    /** Tells whether the job's handler or queue is paused. If one of them is paused, the handler must not be called. */
    boolean isPaused();

    /**
     * Releases the job, because its handler was not called, or because the stop of the instance has interrupted the
     * handler. The job keeps its slot.
     */
    void giveBack();

    /** Releases the job, and leaves it to other instances for a while. The job keeps its slot. */
    void setAside();

    /** Makes this instance claim no further jobs of the handler for this time, but for at most a minute. */
    void rest(Duration time);

    /**
     * Frees the slot.
     *
     * @param took run time of the handler; {@code null} if the handler was not called
     * @return the next assignment, which has received the slot; {@code null} if no job waits for the slot
     */
    @Nullable
    Assignment finished(@Nullable Duration took);
}
