package io.delayjob.schedule;

import java.time.Instant;
import java.util.Objects;

/**
 * One planned occurrence of a repeating job.
 *
 * @param run the number of the run, counted from 1
 * @param planned the planned time of the run, without jitter
 */
public record Occurrence(int run, Instant planned) {

    public Occurrence {
        Objects.requireNonNull(planned, "planned");
        if (run < 1) {
            throw new IllegalArgumentException("Invalid run (" + run + "): runs are counted from 1");
        }
    }
}
