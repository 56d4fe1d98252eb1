package io.delayjob.actuate.endpoint;

import io.delayjob.BulkPage;
import org.jspecify.annotations.Nullable;
import org.springframework.boot.actuate.endpoint.OperationResponseBody;

/**
 * Result of one call that changes jobs.
 *
 * @param skipped number of jobs that matched but did not change
 * @param next value to send as {@code after} to continue; absent if all jobs have been seen
 */
record BulkDescriptor(int changed, int skipped, @Nullable String next, int lookedAt) implements OperationResponseBody {

    static BulkDescriptor of(BulkPage page) {
        return new BulkDescriptor(
                page.changed().size(),
                page.skipped(),
                page.next() == null ? null : page.next().toString(),
                page.lookedAt());
    }
}
