package io.delayjob.redis;

import io.delayjob.job.GroupRef;
import io.delayjob.job.Job;
import io.delayjob.job.JobExtras;
import io.delayjob.job.JobState;
import java.util.UUID;
import org.jspecify.annotations.Nullable;

/**
 * A count of a group's members in one slot. A single step changes the row of a member in this slot and increases the
 * count by one. So the count and the rows agree even after a crash. Members in different slots never wait for each
 * other.
 *
 * @param field name of the hash field that contains the number
 * @param unless name of a field of the same hash; {@code null} for none. If the hash has this field, the count and the
 *     row stay as they are
 */
record GroupCount(UUID group, String field, @Nullable String unless) {

    static final String BEGUN = "begun";
    static final String FINISHED = "finished";
    static final String FAILED = "failed";
    static final String CANCELLED = "cancelled";

    /** If the hash has this field, the job that follows the group was written already, or must never be written. */
    static final String ALL_ENDED = "all-ended";

    /**
     * The hash has this field in two cases: the job that waits for a failure was written already, or it must never be
     * written.
     */
    static final String ANY_FAILED = "any-failed";

    /** If the hash has this field, the group accepts no members in this slot. */
    static final String SEAL = "seal";

    /**
     * Returns a count only if the change starts or ends a member of a group; otherwise {@code null}.
     */
    static @Nullable GroupCount of(@Nullable Job before, Job after) {
        boolean isUnfinished = !after.state().isEnded();
        boolean wasUnfinished = before != null && !before.state().isEnded();
        if (isUnfinished == wasUnfinished) {
            return null;
        }
        GroupRef group = groupOf(isUnfinished ? after : before);
        if (group == null) {
            return null;
        }
        return isUnfinished
                ? new GroupCount(group.id(), BEGUN, SEAL)
                : new GroupCount(group.id(), fieldOf(after.state()), null);
    }

    /** Returns the count for the next job of a chain. Even a cancelled group accepts the next job of a chain. */
    static @Nullable GroupCount ofFollower(Job job) {
        GroupRef group = groupOf(job);
        return group == null ? null : new GroupCount(group.id(), BEGUN, null);
    }

    /** A mark says that a job of the group was written, so that the job is written only once. */
    static GroupCount mark(UUID group, String mark) {
        return new GroupCount(group, mark, mark);
    }

    /** Tells whether this object is a {@linkplain #mark mark}, which counts no member. */
    boolean isMark() {
        return field.equals(unless);
    }

    static @Nullable GroupRef groupOf(@Nullable Job job) {
        return job == null ? null : JobExtras.groupOf(job.task().extras());
    }

    private static String fieldOf(JobState ended) {
        return switch (ended) {
            case FINISHED -> FINISHED;
            case FAILED -> FAILED;
            case CANCELLED -> CANCELLED;
            case DELAYED, READY, RUNNING, AWAITING ->
                throw new IllegalArgumentException("A member in state %s has not ended.".formatted(ended));
        };
    }
}
