package io.delayjob.job;

/**
 * Result of a call that schedules a job. The result is valid only after the caller's transaction has committed.
 *
 * @param id the id of the new job, or of the existing job with the same key or id
 */
public record Scheduled(JobId id, Outcome outcome, JobState state) {

    /** What a call of {@code schedule} has done. */
    public enum Outcome {
        /** A new job was written. */
        CREATED,
        /**
         * An unfinished job already had the key, or an unfinished or ended job already had the id. The existing job was
         * not changed.
         */
        KEPT,
        /** The waiting job with the same key got the new payload, schedule and due time. */
        REPLACED,
        /** The waiting job with the same key got the new due time. */
        POSTPONED,
        /**
         * The store cannot join the caller's transaction, so the call takes effect only after the commit. The result
         * contains the id of the new job. If the call then creates no new job, for example because another job has the
         * key, no job gets this id.
         */
        ON_COMMIT
    }
}
