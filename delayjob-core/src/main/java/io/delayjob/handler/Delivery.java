package io.delayjob.handler;

/** Says what happens to an attempt that was lost, because its instance died or became silent. */
public enum Delivery {
    /** A lost attempt is repeated, so the handler must tolerate a repetition. The default. */
    AT_LEAST_ONCE,
    /**
     * A lost attempt is not repeated, and its run fails. The job becomes {@link io.delayjob.job.JobState#FAILED},
     * unless the job has an endless schedule. After an exception, there is no retry, unless a retry policy is set.
     */
    AT_MOST_ONCE
}
