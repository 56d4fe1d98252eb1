package io.delayjob.handler;

/** Says what happens to an attempt that was lost, because its instance died or became silent. */
public enum Delivery {
    /** The attempt is repeated, so the handler must tolerate a repetition. The default. */
    AT_LEAST_ONCE,
    /**
     * The attempt is not repeated, and the job becomes {@link io.delayjob.job.JobState#FAILED}. After an exception,
     * there is no retry, unless a retry policy is set.
     */
    AT_MOST_ONCE
}
