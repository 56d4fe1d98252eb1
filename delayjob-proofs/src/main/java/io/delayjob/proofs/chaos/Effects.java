package io.delayjob.proofs.chaos;

import io.delayjob.internal.jdbc.dialect.StoredState;
import io.delayjob.job.JobState;

/** The rows of atomic handlers: one row for each call. */
final class Effects {

    private Effects() {}

    /** The table has no key and no constraint. So only the handler's transaction can prevent a second row. */
    static final String TABLE = "CREATE TABLE effect (job_id UUID NOT NULL, attempt INTEGER NOT NULL)";

    /**
     * @param missing number of successful jobs without a row
     * @param doubled number of jobs with more than one row
     * @param stray number of rows whose job has not succeeded
     * @param repeated number of attempts that were lost with their process and repeated
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

        boolean isExact(long jobs) {
            return unfinished == 0 && finished == jobs && effects == jobs && missing == 0 && doubled == 0;
        }
    }
}
