package io.delayjob.internal.attempt;

import io.delayjob.job.Job;
import java.time.Duration;
import org.jspecify.annotations.Nullable;

/** Represents a claimed job that has a slot, until {@link #finished} is called. Thread-safe. */
public interface Assignment {

    Job job();

    boolean isPaused();

    void giveBack();

    /** Leaves the job to other instances for a while. */
    void setAside();

    /** For this time, and at most for a minute, this instance claims no more jobs of the handler. */
    void rest(Duration time);

    /**
     * Frees the slot.
     *
     * @param took run time of the handler; {@code null} if the handler was not called
     * @return the next assignment, which has received the slot; {@code null} if no job waits
     */
    @Nullable
    Assignment finished(@Nullable Duration took);
}
