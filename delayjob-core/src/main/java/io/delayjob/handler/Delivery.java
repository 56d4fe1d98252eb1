package io.delayjob.handler;

/** What happens to an attempt that was lost with its instance. */
public enum Delivery {
    /** The attempt is repeated, so handlers must tolerate repetition. The default. */
    AT_LEAST_ONCE,
    /**
     * The attempt is not repeated, and the job becomes {@link io.delayjob.job.JobState#FAILED}. After an exception
     * there is no retry either, unless a retry policy is set.
     */
    AT_MOST_ONCE
}
