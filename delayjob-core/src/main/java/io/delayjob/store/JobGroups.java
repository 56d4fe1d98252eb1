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
 * Stores groups of jobs, and counts their members. If a step begins or ends a member, the same step counts the member;
 * see {@link JobStore}. When a member ends, its transaction does not wait for a row of the group. Therefore the store
 * only writes down each count, and {@link #fold} adds the counts up later.
 *
 * <p>A new member states the name of its group, and proposes an id for the group. If a group of this name exists,
 * {@link JobSubmission} uses the id of that group instead. If no group has this name, {@link JobSubmission} writes the
 * proposed group as {@link GroupState#OPEN}. It writes the group and the member in the same step. The group's creation
 * time is the member's {@link io.delayjob.job.NewJob#scheduledAt()}. A {@link GroupRef} in an argument identifies the
 * group by its id. If a group accepts no more members, {@link JobSubmission} throws {@link
 * io.delayjob.job.GroupEndedException} before it writes anything. A call writes no group if it is refused. If it
 * creates no member, because a job already has the key or the given id, it writes no group either. A group does not end
 * while a call that adds members is in progress.
 *
 * <p>A group may be unreadable, for example because a newer version has written its row. This does not affect the other
 * groups: {@link #fold} and {@link #purge} still process them. {@link #unended} and {@link #ended} leave out the
 * unreadable group.
 *
 * <p>All methods except {@link #fold} and {@link #purge} join the caller's transaction if the store can do so.
 * Thread-safe.
 */
public interface JobGroups {

    /**
     * Returns the stored group that has the name of the proposed group. If there is no such group, the store writes the
     * proposed group as {@link GroupState#OPEN}. The method then returns the proposed group.
     */
    GroupRef enter(GroupRef proposed, Instant now);

    /**
     * Returns the group of this name. If the end of a member was committed, the counts of the group include this end.
     */
    Optional<GroupStatus> find(String name);

    /** Returns groups that have not {@linkplain GroupStatus#endedAt() ended}, beginning with the oldest group. */
    List<GroupStatus> unended(int limit);

    /** Returns groups that have {@linkplain GroupStatus#endedAt() ended}, beginning with the group that ended last. */
    List<GroupStatus> ended(int limit);

    /**
     * Closes an open group. A group that is closed already does not change.
     *
     * @param whenAllEnded the job that is written when all members have ended; {@code null} for no job
     * @return the state before this call; {@code null} if the group does not exist. The group has changed only if its
     *     state was {@link GroupState#OPEN}
     */
    @Nullable
    GroupState close(GroupRef group, @Nullable GroupJob whenAllEnded);

    /**
     * Returns the job that waits for the end of the group. If no job waits, or if the row of the job is already
     * written, the result is {@code null}.
     */
    @Nullable
    GroupJob whenAllEnded(GroupRef group);

    /**
     * Sets the job that is written as soon as a member has failed. If an earlier call has set a job, and that job is
     * not written yet, the new job replaces it. A group writes only one such job. After it was written, further calls
     * change nothing.
     *
     * @return the state before this call; {@code null} if the group does not exist. The group has changed only if this
     *     state {@linkplain GroupState#takesMembers() accepts members}
     */
    @Nullable
    GroupState whenAnyFails(GroupRef group, GroupJob job);

    /**
     * Cancels the group, but not its members. From then on, the group accepts no member, and no job follows the group.
     *
     * @return the state before this call; {@code null} if the group does not exist. The group has changed only if this
     *     state {@linkplain GroupState#takesMembers() accepts members}
     */
    @Nullable
    GroupState cancel(GroupRef group);

    /**
     * Adds up the counts that were written since the previous call. If all members of a closed group have ended, the
     * group becomes {@link GroupState#ENDED}. In the same step, the store writes the row of the job that follows the
     * group. If a job with this id exists already, the store writes no row. If a member has failed, the store writes
     * the row of the job that waits for a failure in the group. When the last member of a cancelled group ends, the
     * group stays {@link GroupState#CANCELLED}, but gets {@link GroupStatus#endedAt()}. No job follows it. Any instance
     * may call this method at any time, because each step takes effect only once.
     *
     * @param freshToken token of all rows that this call writes; all these rows are due now
     * @param committed receives all rows that were written
     * @param ended receives, after the commit, each group that this call has ended. No other call on any instance
     *     reports this group. If the store's answer is lost, this call does not report the group either
     * @return whether more counts are left; if more are left, the call should be repeated at once
     */
    boolean fold(Instant now, long freshToken, DueSink committed, Consumer<GroupStatus> ended);

    /**
     * Deletes groups that ended before this time. The method also deletes two kinds of groups that have not ended: open
     * groups without members, and cancelled groups. It deletes these groups if they were created before this time.
     *
     * @return the number of deleted groups, at most {@code limit}
     */
    int purge(Instant before, int limit);
}
