package io.delayjob.store;

import io.delayjob.job.GroupJob;
import io.delayjob.job.GroupRef;
import io.delayjob.job.GroupState;
import io.delayjob.job.GroupStatus;
import java.time.Instant;
import java.util.List;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/**
 * Groups of jobs. The store counts a member in the same step that begins or ends it; see {@link JobStore}. When a
 * member ends, its transaction waits for no row of the group. For this, the store only writes down each count, and
 * {@link #fold} adds these counts up later.
 *
 * <p>A new member proposes the identity of its group. {@link JobSubmission} replaces the proposal by the identity of the
 * group that has this name. If there is none, it writes the proposed group as {@link GroupState#OPEN}, in the same step
 * as the member. It refuses members of a group that takes none ({@link io.delayjob.job.GroupEndedException}), before it
 * writes anything. A call that is refused, or that creates no member because a job has the key or the given id, writes no
 * group. A group does not end while a call that adds members is under way.
 *
 * <p>All methods but {@link #fold} and {@link #purge} join the caller's transaction if the store can. Thread-safe.
 */
public interface JobGroups {

    /**
     * Returns the group of the proposed name. If there is none, writes the proposed group as {@link GroupState#OPEN}.
     */
    GroupRef enter(GroupRef proposed, Instant now);

    /** Returns the group of this name. The counts of this group include every member whose end is committed. */
    Optional<GroupStatus> find(String name);

    /** Returns groups that have not {@linkplain GroupStatus#endedAt() ended}, the oldest first. */
    List<GroupStatus> unended(int limit);

    /** Returns groups that have {@linkplain GroupStatus#endedAt() ended}, the latest end first. */
    List<GroupStatus> ended(int limit);

    /**
     * Closes an open group. A closed group stays as it is.
     *
     * @param whenAllEnded the job to write once all members have ended; {@code null} for none
     * @return the state before this call, or {@code null} if the group does not exist. The group has changed only if it
     *     was {@link GroupState#OPEN}
     */
    @Nullable
    GroupState close(GroupRef group, @Nullable GroupJob whenAllEnded);

    /**
     * Returns the job that waits for the end of the group; {@code null} if there is none, or if its row is written
     * already.
     */
    @Nullable
    GroupJob whenAllEnded(GroupRef group);

    /**
     * Sets the job to write as soon as a member has failed. It replaces a job that was set before and is not written
     * yet. A group writes one such job, and later calls change nothing.
     *
     * @return the state before, or {@code null} if the group does not exist. The group has changed only if it
     *     {@linkplain GroupState#takesMembers() takes members}
     */
    @Nullable
    GroupState whenAnyFails(GroupRef group, GroupJob job);

    /**
     * Cancels the group, but not its members: it takes no further member, and no job follows it.
     *
     * @return the state before, or {@code null} if the group does not exist. The group has changed only if it
     *     {@linkplain GroupState#takesMembers() takes members}
     */
    @Nullable
    GroupState cancel(GroupRef group);

    /**
     * Adds up what was counted since the previous call. A closed group whose members have all ended becomes {@link
     * GroupState#ENDED}. In the same step, the row of the job that follows the group is written, unless a job with this
     * id exists already. If a member has failed, the row of the job that waits for a failure is written. A cancelled
     * group ends after its last member, too, but no job follows it. Any instance may call this method at any time,
     * because each step takes effect only once.
     *
     * @param freshToken token of all rows that this call writes; they are due now
     * @param committed gets all rows that were written
     * @return whether more is left, so that the call should be repeated at once
     */
    boolean fold(Instant now, long freshToken, DueSink committed);

    /**
     * Deletes groups that ended before this time. Of the groups that were created before it, also deletes open groups
     * without members, and cancelled groups.
     *
     * @return the number of deleted groups, at most {@code limit}
     */
    int purge(Instant before, int limit);
}
