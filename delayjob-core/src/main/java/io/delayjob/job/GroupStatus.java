package io.delayjob.job;

import java.time.Instant;
import org.jspecify.annotations.Nullable;

/**
 * The state and the progress of a group of jobs. Immutable.
 *
 * @param state the state of the group; it becomes {@link GroupState#ENDED} within a second after the last member has
 *     ended
 * @param counts the counts of the group's members at the time of the read
 * @param createdAt when the group was created, by the clock of the store
 * @param endedAt store time when all members were found to have ended; {@code null} until then
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
