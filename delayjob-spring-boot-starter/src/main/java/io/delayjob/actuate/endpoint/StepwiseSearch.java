package io.delayjob.actuate.endpoint;

import io.delayjob.DelayJobOperations;
import io.delayjob.store.JobPage;
import io.delayjob.store.JobQuery;
import io.delayjob.time.EngineClock;
import java.time.Duration;

/**
 * Reads a page of jobs in steps, until the page is full or the time is over. A read of a cached row takes microseconds,
 * and a read of a row on disk takes a hundred times as long. So the number of rows is not fixed. The next search can
 * continue at {@link JobPage#next()}. Thread-safe.
 */
final class StepwiseSearch {

    /**
     * Maximum number of rows to read in one step from each table. Such a step takes less than a second, even if the
     * rows are on disk.
     */
    static final int STEP = 2_500;

    /**
     * If this time has passed, the search begins no further step. A step that takes longer has probably read rows from
     * disk, and the next step may do the same.
     */
    static final Duration TIME = Duration.ofMillis(10);

    private final DelayJobOperations operations;
    private final EngineClock clock;

    StepwiseSearch(DelayJobOperations operations, EngineClock clock) {
        this.operations = operations;
        this.clock = clock;
    }

    /**
     * @param query its {@link JobQuery#lookAt()} limits the number of rows that all steps together read. In the last
     *     step, each of the two tables may be read up to the remaining number of rows. So all steps together may exceed
     *     this limit
     */
    JobPage find(JobQuery query) {
        long begin = clock.nanoTime();
        JobPage page = operations.find(query.lookAt(Math.min(STEP, query.lookAt())));
        while (page.next() != null
                && page.jobs().size() < query.limit()
                && page.lookedAt() < query.lookAt()
                && clock.nanoTime() - begin < TIME.toNanos()) {
            JobQuery rest =
                    query.after(page.next()).limit(query.limit() - page.jobs().size());
            int left = query.lookAt() - page.lookedAt();
            page = page.followedBy(operations.find(rest.lookAt(Math.min(STEP, left))));
        }
        return page;
    }
}
