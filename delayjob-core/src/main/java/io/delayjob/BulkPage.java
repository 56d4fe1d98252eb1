package io.delayjob;

import io.delayjob.job.JobId;
import io.delayjob.store.JobCursor;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * Result of changing one page of jobs. The result is valid only after the caller's transaction has committed.
 *
 * @param skipped number of matching jobs that could not be changed
 * @param next start of the next page, for {@link io.delayjob.store.JobQuery#after}; {@code null} after the last page
 * @param lookedAt number of rows that were read, including rows that do not match
 */
public record BulkPage(
        List<JobId> changed, int skipped, @Nullable JobCursor next, int lookedAt) {

    public BulkPage {
        changed = List.copyOf(changed);
    }
}
