package io.delayjob.settings;

/**
 * Says which attempts get a line in the attempt log. If a repeating job continues after a failed or skipped run, that
 * run gets a line with every value of this type.
 */
public enum AttemptLog {
    /** Only failed and skipped runs after which a repeating job continues get a line. */
    NONE,
    /** Failed attempts get a line. This value is the default. */
    FAILURES,
    /** All attempts get a line. */
    ALL
}
