package io.delayjob.job;

/**
 * What scheduling did. Holds once the caller's transaction commits.
 *
 * @param id the job that now stands for the call: the new one, or the existing one of the same key
 * @param outcome what was done
 * @param state that job's state
 */
public record Scheduled(JobId id, Outcome outcome, JobState state) {

    /** What scheduling did with the row. */
    public enum Outcome {
        /** A new job was written. */
        CREATED,
        /** An unfinished job of that key was left as it is. */
        KEPT,
        /** The waiting job of that key has got the new payload, schedule and due time. */
        REPLACED,
        /** The waiting job of that key has got the new due time. */
        POSTPONED
    }
}
