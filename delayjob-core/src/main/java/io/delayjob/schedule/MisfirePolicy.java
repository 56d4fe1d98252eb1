package io.delayjob.schedule;

/**
 * Decides what happens to the missed occurrences of a repeating job. Occurrences are missed if every instance was down,
 * the database was unavailable, or the workers were busy. The policy is applied to each occurrence once, before the
 * first attempt of its run; see {@link Misfire}.
 */
public enum MisfirePolicy {
    /**
     * All missed occurrences run as soon as possible, one after the other. This policy is the default of finite
     * schedules.
     */
    RUN_EACH,

    /**
     * Only the latest missed occurrence runs, in place of all missed occurrences. This policy is the default of endless
     * schedules.
     */
    RUN_ONCE,

    /** Missed occurrences do not run. The next future occurrence runs at its time. */
    SKIP
}
