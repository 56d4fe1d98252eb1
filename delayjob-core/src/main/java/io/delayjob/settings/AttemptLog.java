package io.delayjob.settings;

/**
 * Says which attempts get a line in the attempt log. With every value, a run that fails or is skipped gets a line if
 * its repeating job continues.
 */
public enum AttemptLog {
    /** Only failed and skipped runs after which a repeating job continues get a line. */
    NONE,
    /** Failed attempts get a line. This value is the default. */
    FAILURES,
    /** All attempts get a line. */
    ALL
}
