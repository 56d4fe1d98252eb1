package io.delayjob.job;

import java.time.Instant;
import org.jspecify.annotations.Nullable;

/**
 * A group of jobs and its progress. Immutable.
 *
 * @param group its id and name
 * @param state its state. It becomes {@link GroupState#ENDED} about a second after the end of its last member
 * @param counts the numbers of its members, as of the time of the read
 * @param createdAt store time when the group was named first
 * @param endedAt store time when all members of a closed or cancelled group were found to have ended; {@code null}
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
