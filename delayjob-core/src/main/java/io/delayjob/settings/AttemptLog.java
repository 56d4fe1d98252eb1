package io.delayjob.settings;

/** Which attempts get a line in the attempt log. Failed and skipped runs of a job that goes on always get one. */
public enum AttemptLog {
    /** None but those. */
    NONE,
    /** Failed ones. The default. */
    FAILURES,
    /** All. */
    ALL
}
