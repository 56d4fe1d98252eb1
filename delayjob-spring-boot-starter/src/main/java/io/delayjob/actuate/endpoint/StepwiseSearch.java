package io.delayjob.actuate.endpoint;

import io.delayjob.DelayJobOperations;
import io.delayjob.store.JobPage;
import io.delayjob.store.JobQuery;
import io.delayjob.time.EngineClock;
import java.time.Duration;

/**
 * Reads a page of jobs in steps, until the page is full or the time is over. The search does not read a fixed number of
 * rows, because reading rows from disk is slow. Thread-safe.
 */
final class StepwiseSearch {

    /**
     * Maximum number of rows that a step reads from each table. Such a step takes less than a second, even from disk.
     */
    static final int STEP = 2_500;

    /** After this time, no further step begins. */
    static final Duration TIME = Duration.ofMillis(10);

    private final DelayJobOperations operations;
    private final EngineClock clock;

    StepwiseSearch(DelayJobOperations operations, EngineClock clock) {
        this.operations = operations;
        this.clock = clock;
    }

    /**
     * @param query the search; its limit {@link JobQuery#lookAt()} applies to each of the two tables, so the last step
     *     may read more rows than this limit
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
