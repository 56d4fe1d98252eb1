package io.delayjob.schedule;

/**
 * Decides what happens to the missed occurrences of a repeating job. Occurrences are missed if every instance was down,
 * the database was unavailable, or the workers were busy. The policy is applied to each occurrence once, before the
 * first attempt of its run; see {@link Misfire}.
 */
public enum MisfirePolicy {
    /** Every missed occurrence runs, one after the other, as soon as possible. The default of finite schedules. */
    RUN_EACH,

    /** The latest missed occurrence runs once, in place of all missed occurrences. The default of endless schedules. */
    RUN_ONCE,

    /** No missed occurrence runs, and the next future occurrence runs at its time. */
    SKIP
}
