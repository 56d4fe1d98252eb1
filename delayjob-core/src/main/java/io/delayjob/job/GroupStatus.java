package io.delayjob.job;

import java.time.Instant;
import org.jspecify.annotations.Nullable;

/**
 * Contains the state and the progress of a group of jobs. Immutable.
 *
 * @param group id and name of the group
 * @param state the state of the group. The state becomes {@link GroupState#ENDED} within a second after the end of the
 *     group's last member
 * @param counts the numbers of the group's members, as of the time of the read
 * @param createdAt store time when the group was named for the first time
 * @param endedAt store time when delayjob found that all members of a closed or cancelled group had ended; {@code null}
 *     before
 */
public record GroupStatus(
        GroupRef group,
        GroupState state,
        GroupCounts counts,
        Instant createdAt,
        @Nullable Instant endedAt) {

    /** Returns the name of the group. */
    public String name() {
        return group.name();
    }
}
