package io.delayjob.settings;

/**
 * Says which attempts get a line in the attempt log. Whatever the value, a repeating job gets a line for each run that
 * fails or is skipped, if the job then continues.
 */
public enum AttemptLog {
    /** A line is written only for failed and skipped runs of repeating jobs, if the job then continues. */
    NONE,
    /** Failed attempts get a line. This value is the default. */
    FAILURES,
    /** All attempts get a line. */
    ALL
}
