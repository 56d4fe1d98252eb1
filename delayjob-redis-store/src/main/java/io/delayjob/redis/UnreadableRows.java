package io.delayjob.redis;

import io.delayjob.job.JobId;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Logs the rows that cannot be read. The jobs of these rows do not run, and no list shows these jobs. All other jobs
 * are unaffected. Thread-safe.
 */
final class UnreadableRows {

    /**
     * Maximum number of rows that are logged, and kept in memory. After a rollback, a million rows may be unreadable.
     */
    static final int MAX_LOGGED = 100;

    private static final Logger log = LoggerFactory.getLogger(UnreadableRows.class);

    private final Set<JobId> logged = ConcurrentHashMap.newKeySet();

    void leaveOut(JobId id, RuntimeException reason) {
        if (logged.size() < MAX_LOGGED && logged.add(id)) {
            log.warn(
                    "The row of job {} cannot be read, so delayjob leaves this job out: it does not run, and no list "
                            + "shows it. Restore the row, or delete it. The reason: {}",
                    id,
                    reason.toString());
        }
    }
}
