package io.delayjob.settings;

/** The attempts that get a line in the attempt log. Failed and skipped runs of a job that goes on always get a line. */
public enum AttemptLog {
    /** No other attempts. */
    NONE,
    /** Failed attempts. The default. */
    FAILURES,
    /** All attempts. */
    ALL
}
