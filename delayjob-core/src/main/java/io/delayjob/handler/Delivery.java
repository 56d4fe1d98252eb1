package io.delayjob.handler;

/** What happens to an attempt that was lost with its instance. */
public enum Delivery {
    /** The attempt is repeated, so handlers must tolerate repetition. The default. */
    AT_LEAST_ONCE,
    /**
     * The job becomes {@link io.delayjob.job.JobState#FAILED} instead. Exceptions are not retried either, unless a
     * retry policy is set.
     */
    AT_MOST_ONCE
}
