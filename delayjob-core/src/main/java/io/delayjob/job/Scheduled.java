package io.delayjob.job;

/**
 * Result of scheduling a job. Valid once the caller's transaction commits.
 *
 * @param id the id of the new job, or of the existing job with the same key or id
 * @param outcome what the call has done
 * @param state the state of that job
 */
public record Scheduled(JobId id, Outcome outcome, JobState state) {

    /** What a call of {@code schedule} has done. */
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
         * The call waits for the commit of the caller's transaction, because the store cannot join that transaction.
         * The id is that of the new job. If another job has the key at the commit, no job gets this id.
         */
        ON_COMMIT
    }
}
