package io.delayjob.handler;

/** What happens to an attempt that was lost with its instance. */
public enum Delivery {
    /** It is made again. Handlers must bear a repetition. The default. */
    AT_LEAST_ONCE,
    /**
     * The job is {@link io.delayjob.job.JobState#FAILED} instead; exceptions are not retried either, unless a retry
     * policy was stated.
     */
    AT_MOST_ONCE
}
