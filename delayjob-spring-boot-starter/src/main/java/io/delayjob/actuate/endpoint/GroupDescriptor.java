package io.delayjob.actuate.endpoint;

import io.delayjob.job.GroupStatus;
import java.time.Instant;
import org.jspecify.annotations.Nullable;
import org.springframework.boot.actuate.endpoint.OperationResponseBody;

/**
 * A group of jobs.
 *
 * @param begun number of members that were added or retried by hand
 * @param endedAt time when all members had ended; absent before
 */
record GroupDescriptor(
        String name,
        String state,
        long begun,
        long finished,
        long failed,
        long cancelled,
        Instant createdAt,
        @Nullable Instant endedAt)
        implements OperationResponseBody {

    static GroupDescriptor of(GroupStatus group) {
        return new GroupDescriptor(
                group.name(),
                group.state().name(),
                group.counts().begun(),
                group.counts().finished(),
                group.counts().failed(),
                group.counts().cancelled(),
                group.createdAt(),
                group.endedAt());
    }
}
