package io.delayjob.settings;

/**
 * The attempts that get a line in the attempt log. If a repeating job continues after a failed or skipped run, that run
 * always gets a line.
 */
public enum AttemptLog {
    /** Only these runs. */
    NONE,
    /** Failed attempts. The default. */
    FAILURES,
    /** All attempts. */
    ALL
}
