package io.delayjob.status;

import java.time.Instant;

/**
 * Describes the waiting jobs of one name. When delayjob last searched for such jobs, no registered instance had a
 * handler for this name.
 *
 * @param name the name under which the jobs are stored
 * @param jobs number of jobs that were found
 * @param atLeast whether there may be more such jobs, because the search stopped before the end of the table
 * @param firstDue due time of the first of these jobs
 */
public record UnhandledName(String name, int jobs, boolean atLeast, Instant firstDue) {

    /**
     * Returns the count and the first due time in words, such as "at least 2 jobs, the earliest due at
     * 2030-01-01T08:00:00Z".
     */
    public String extent() {
        return "%s%d %s, the earliest due at %s"
                .formatted(atLeast ? "at least " : "", jobs, jobs == 1 ? "job" : "jobs", firstDue);
    }
}
