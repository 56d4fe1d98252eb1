package io.delayjob.proofs.chaos;

import io.delayjob.handler.Handler;
import io.delayjob.jdbc.dialect.StoredState;
import io.delayjob.job.JobState;
import java.util.List;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import org.springframework.jdbc.core.JdbcTemplate;

/** What the handlers of atomic jobs write: a row each time they are called, into a table that would take any number of them. */
final class Effects {

    static final String HANDLER = "effect";

    /** Fewer than the pool has connections: each attempt holds one. */
    private static final int AT_A_TIME = 6;

    private static final int SHORTEST_HOLD_MILLIS = 20;
    private static final int HOLDS_SPREAD_MILLIS = 200;

    private static final CountDownLatch NEVER = new CountDownLatch(1);

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

    static Handler handler(JdbcTemplate jdbc) {
        return Handler.named(HANDLER)
                .atomic(true)
                .concurrency(AT_A_TIME)
                .parameters(List.of())
                .calls((arguments, job) -> {
                    jdbc.update("INSERT INTO effect VALUES (?, ?)", job.id().value(), job.attempt());
                    int hold = Math.floorMod(job.id().hashCode(), HOLDS_SPREAD_MILLIS);
                    NEVER.await(SHORTEST_HOLD_MILLIS + hold, TimeUnit.MILLISECONDS);
                    return null;
                });
    }
}
