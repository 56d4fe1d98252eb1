package io.delayjob.proofs.chaos;

import io.delayjob.jdbc.dialect.StoredState;
import io.delayjob.job.JobState;

/**
 * The rows that handlers of atomic jobs write: one each time a handler is called. The table accepts any number of rows
 * for a job.
 */
final class Effects {

    private Effects() {}

    /** The table has no key and no constraint, so only the handler's transaction prevents a second row. */
    static final String TABLE = "CREATE TABLE effect (job_id UUID NOT NULL, attempt INTEGER NOT NULL)";

    /**
     * Counts of jobs, by their state, and of the rows that handlers wrote.
     *
     * @param unfinished jobs that have not ended
     * @param finished jobs that finished successfully
     * @param other jobs that ended in any other way
     * @param effects rows written by handlers
     * @param missing successful jobs without a row
     * @param doubled jobs with more than one row
     * @param stray rows that belong to jobs that did not finish successfully
     * @param repeated attempts that were lost with their process and repeated
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

        /** Tells whether each job has finished successfully and written its row once. */
        boolean isExact(long jobs) {
            return unfinished == 0 && finished == jobs && effects == jobs && missing == 0 && doubled == 0;
        }
    }
}
