package io.delayjob.rest;

import io.delayjob.job.GroupCounts;
import io.delayjob.job.GroupState;
import io.delayjob.job.GroupStatus;
import java.time.Instant;
import org.jspecify.annotations.Nullable;

/**
 * A group as callers see it.
 *
 * @param id id of the group; two groups with the same name have different ids
 * @param begun number of members, including members that have ended
 * @param endedAt time at which all members of a closed or cancelled group had ended
 */
record GroupView(
        String id,
        String name,
        GroupState state,
        long begun,
        long finished,
        long failed,
        long cancelled,
        Instant createdAt,
        @Nullable Instant endedAt)
        implements ApiBody {

    static GroupView of(GroupStatus group) {
        GroupCounts counts = group.counts();
        return new GroupView(
                group.group().id().toString(),
                group.name(),
                group.state(),
                counts.begun(),
                counts.finished(),
                counts.failed(),
                counts.cancelled(),
                group.createdAt(),
                group.endedAt());
    }
}
