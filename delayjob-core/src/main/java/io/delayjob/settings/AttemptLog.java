package io.delayjob.settings;

/**
 * Says which attempts get a line in the attempt log. If a repeating job continues after a failed or skipped run, that
 * run always gets a line.
 */
public enum AttemptLog {
    /** Attempts get no line. The failed and skipped runs that are described above still get a line. */
    NONE,
    /** Failed attempts get a line. This is the default. */
    FAILURES,
    /** All attempts get a line. */
    ALL
}
