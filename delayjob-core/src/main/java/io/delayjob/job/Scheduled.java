package io.delayjob.job;

/**
 * Result of scheduling a job. Valid once the caller's transaction commits.
 *
 * @param id the id of the job that serves the call: the new job, or the existing job with the same key
 * @param outcome the effect of the call
 * @param state that job's state
 */
public record Scheduled(JobId id, Outcome outcome, JobState state) {

    /** Effect of scheduling on the row. */
    public enum Outcome {
        /** A new job was written. */
        CREATED,
        /** An unfinished job has that key and was not changed. */
        KEPT,
        /** The waiting job of that key got the new payload, schedule and due time. */
        REPLACED,
        /** The waiting job of that key got the new due time. */
        POSTPONED,
        /**
         * The call waits for the commit of the caller's transaction, because the store cannot join that transaction. The
         * id is that of the new job, unless the commit finds another job with the key.
         */
        ON_COMMIT
    }
}
