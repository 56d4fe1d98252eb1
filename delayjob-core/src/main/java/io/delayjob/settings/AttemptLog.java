package io.delayjob.settings;

/**
 * Says which attempts get a line in the attempt log. Whatever the value, a failed or skipped run after which a
 * repeating job continues gets a line.
 */
public enum AttemptLog {
    /** Only failed and skipped runs after which a repeating job continues get a line. */
    NONE,
    /** Failed attempts get a line. This value is the default. */
    FAILURES,
    /** All attempts get a line. */
    ALL
}
