package io.delayjob.store;

import io.delayjob.job.GroupJob;
import io.delayjob.job.GroupRef;
import io.delayjob.job.GroupState;
import io.delayjob.job.GroupStatus;
import java.time.Instant;
import java.util.List;
import java.util.Optional;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/**
 * Stores groups of jobs, and counts their members. When a transition creates, retries or ends the job of a member, the
 * same transition counts the member; see {@link JobStore}. When a member ends, the transition only records the count.
 * So the transition does not wait for a lock on the group's row. Later, the method {@link #fold} adds up the recorded
 * counts.
 *
 * <p>A new member states the name of its group, and proposes an id for the group. If a group of this name exists,
 * {@link JobSubmission} uses the id of that group instead. Otherwise, {@code JobSubmission} writes the proposed group
 * as {@link GroupState#OPEN}, in the same step as the member. The group's creation time is the member's {@link
 * io.delayjob.job.NewJob#scheduledAt()}. If a group accepts no more members, {@link JobSubmission} throws {@link
 * io.delayjob.job.GroupEndedException} before it writes anything. If a call is refused or creates no member, the call
 * writes no group. A group does not end while a call that adds members is in progress. A {@link GroupRef} in an
 * argument identifies the group by its id.
 *
 * <p>A group may be unreadable, for example because a newer version has written its row. {@link #fold} and {@link
 * #purge} still process the other groups. {@link #unended} and {@link #ended} leave out the unreadable group.
 *
 * <p>All methods except {@link #fold} and {@link #purge} join the caller's transaction if the store can do so.
 * Thread-safe.
 */
public interface JobGroups {

    /**
     * Returns the stored group that has the name of the proposed group. If there is no such group, writes the proposed
     * group as {@link GroupState#OPEN} and returns it.
     */
    GroupRef enter(GroupRef proposed, Instant now);

    /** Returns the group of this name. The counts of the group include every member whose end is committed. */
    Optional<GroupStatus> find(String name);

    /** Returns groups that have not {@linkplain GroupStatus#endedAt() ended}, beginning with the oldest group. */
    List<GroupStatus> unended(int limit);

    /** Returns groups that have {@linkplain GroupStatus#endedAt() ended}, beginning with the group that ended last. */
    List<GroupStatus> ended(int limit);

    /**
     * Closes an open group. A group in any other state does not change.
     *
     * @param whenAllEnded the job that is written when all members have ended; {@code null} for no job
     * @return the state before this call; {@code null} if the group does not exist
     */
    @Nullable
    GroupState close(GroupRef group, @Nullable GroupJob whenAllEnded);

    /**
     * Returns the job that waits for the end of the group. Returns {@code null} if no job waits, or if the job's row is
     * already written.
     */
    @Nullable
    GroupJob whenAllEnded(GroupRef group);

    /**
     * Sets the job that is written as soon as a member has failed. If an earlier call has set a job that is not written
     * yet, the new job replaces that job. The store writes at most one such job for each group. After the store has
     * written the job, further calls of this method change nothing. If the group no longer {@linkplain
     * GroupState#takesMembers() accepts members}, nothing changes.
     *
     * @return the state before this call; {@code null} if the group does not exist
     */
    @Nullable
    GroupState whenAnyFails(GroupRef group, GroupJob job);

    /**
     * Cancels the group, but not its members. From then on, the group accepts no member, and no job follows the group.
     * If the group no longer {@linkplain GroupState#takesMembers() accepts members}, nothing changes.
     *
     * @return the state before this call; {@code null} if the group does not exist
     */
    @Nullable
    GroupState cancel(GroupRef group);

    /**
     * Adds up the counts that were written since the previous call. If all members of a closed group have ended, the
     * group becomes {@link GroupState#ENDED}. In the same step, the store writes the row of the job that follows the
     * group. If a job with this job's id exists already, the store writes no row. If a member has failed, the store
     * writes the row of the job that waits for a failure in the group. When the last member of a cancelled group ends,
     * the group stays {@link GroupState#CANCELLED}, but gets {@link GroupStatus#endedAt()}. Any instance may call this
     * method at any time, because each step takes effect only once.
     *
     * @param freshToken token of all rows that this call writes; all these rows are due now
     * @param committed receives all rows that were written
     * @param ended receives, after the commit, each group that this call has ended. No other call on any instance
     *     reports this group. If the store's answer is lost, no call reports this group
     * @return whether more counts are left; if more are left, the call should be repeated at once
     */
    boolean fold(Instant now, long freshToken, DueSink committed, Consumer<GroupStatus> ended);

    /**
     * Deletes groups that ended before this time. The method also deletes cancelled groups that were created before
     * this time but have not ended. The same applies to open groups that never had a member.
     *
     * @return the number of deleted groups, at most {@code limit}
     */
    int purge(Instant before, int limit);
}
