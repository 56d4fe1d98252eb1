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
 * @param counted the number that this change increases for a group; {@code null} if this change increases no number
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
     * A server whose memory is full must still write the job that follows a group, because the store has accepted this
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
     * Tells whether this change was written, even if no answer arrived. No other change sets the same token.
     */
    boolean isAppliedTo(@Nullable Job job) {
        return job != null
                && after != null
                && after.token() == job.token()
                && (before == null || before.token() != job.token());
    }
}
