package io.delayjob.redis;

import io.delayjob.job.AttemptRecord;
import io.delayjob.job.Job;
import io.delayjob.job.JobId;
import java.util.List;
import java.util.UUID;
import org.jspecify.annotations.Nullable;

/**
 * The change of one row, with its entries in all indexes.
 *
 * @param before {@code null} if there was no job
 * @param after {@code null} if the row is deleted
 * @param counted the number of the job's group that this change increases; {@code null} if there is none
 */
record RowChange(
        @Nullable Job before,
        @Nullable Job after,
        List<AttemptRecord> log,
        @Nullable GroupCount counted) {

    /** The next job of a chain joins its group whatever the group's state. */
    static RowChange following(Job job) {
        return new RowChange(null, job, List.of(), GroupCount.ofFollower(job));
    }

    static RowChange followingGroup(UUID group, String mark, Job job) {
        return new RowChange(null, job, List.of(), GroupCount.mark(group, mark));
    }

    static RowChange deleted(Job ended) {
        return new RowChange(ended, null, List.of(), null);
    }

    static RowChange of(@Nullable Job before, Job after) {
        return new RowChange(before, after, List.of(), GroupCount.of(before, after));
    }

    /**
     * Even if the memory of the server is full, it must write the job that follows a group. The store has accepted this
     * job earlier.
     */
    boolean followsGroup() {
        return counted != null && counted.isMark();
    }

    JobId id() {
        Job job = after == null ? before : after;
        if (job == null) {
            throw new IllegalStateException(
                    "The change of a row needs the job before the change or the job after " + "the change.");
        }
        return job.id();
    }

    /**
     * No other change sets the same token, so this method recognizes whether a change without an answer was written.
     */
    boolean isAppliedTo(@Nullable Job job) {
        return job != null
                && after != null
                && after.token() == job.token()
                && (before == null || before.token() != job.token());
    }
}
