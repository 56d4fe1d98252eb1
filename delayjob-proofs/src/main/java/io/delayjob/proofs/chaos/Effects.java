package io.delayjob.proofs.chaos;

import io.delayjob.jdbc.dialect.StoredState;
import io.delayjob.job.JobState;

/**
 * What the handlers of atomic jobs write: a row each time they are called, into a table that would take any number of
 * them.
 */
final class Effects {

    private Effects() {}

    /** Without a key or a constraint: nothing but the handler's transaction keeps a row from coming twice. */
    static final String TABLE = "CREATE TABLE effect (job_id UUID NOT NULL, attempt INTEGER NOT NULL)";

    /**
     * How things stand.
     *
     * @param unfinished jobs that are not over
     * @param finished jobs that ended well
     * @param other jobs that ended in any other way
     * @param effects rows that handlers have written
     * @param missing jobs that ended well without a row
     * @param doubled jobs with more than one row
     * @param stray rows of jobs that did not end well
     * @param repeated attempts that were lost with their process, and made again
     */
    record Standing(
            long unfinished,
            long finished,
            long other,
            long effects,
            long missing,
            long doubled,
            long stray,
            long repeated) {

        static final String QUERY = """
                SELECT (SELECT count(*) FROM delayjob_job),
                    (SELECT count(*) FROM delayjob_history WHERE state = %1$d),
                    (SELECT count(*) FROM delayjob_history WHERE state <> %1$d),
                    (SELECT count(*) FROM effect),
                    (SELECT count(*) FROM delayjob_history h
                        WHERE state = %1$d AND NOT EXISTS (SELECT 1 FROM effect e WHERE e.job_id = h.id)),
                    (SELECT count(*) FROM (SELECT job_id FROM effect GROUP BY job_id HAVING count(*) > 1) AS doubled),
                    (SELECT count(*) FROM effect e
                        WHERE NOT EXISTS (SELECT 1 FROM delayjob_history h WHERE h.id = e.job_id AND state = %1$d)),
                    (SELECT COALESCE(sum(rescues), 0) FROM delayjob_history)
                """.formatted(StoredState.codeOf(JobState.FINISHED));

        /** Each job has ended well, and written its row once. */
        boolean isExact(long jobs) {
            return unfinished == 0 && finished == jobs && effects == jobs && missing == 0 && doubled == 0;
        }
    }
}
