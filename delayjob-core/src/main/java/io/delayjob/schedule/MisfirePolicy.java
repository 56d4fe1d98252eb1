package io.delayjob.schedule;

/**
 * Decides what happens to the missed occurrences of a repeating job. Occurrences are missed if all instances or the
 * database were down, or if the workers were busy. The policy is applied once to each occurrence, before the first
 * attempt; see {@link Misfire}.
 */
public enum MisfirePolicy {
    /** All missed occurrences run as soon as possible, one after the other. This is the default of finite schedules. */
    RUN_EACH,

    /**
     * Only the latest missed occurrence runs, in place of all missed occurrences. This is the default of endless
     * schedules.
     */
    RUN_ONCE,

    /** Missed occurrences do not run. The next future occurrence runs at its time. */
    SKIP
}
