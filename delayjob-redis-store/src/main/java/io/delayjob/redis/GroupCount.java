package io.delayjob.redis;

import io.delayjob.job.GroupRef;
import io.delayjob.job.Job;
import io.delayjob.job.JobExtras;
import io.delayjob.job.JobState;
import java.util.UUID;
import org.jspecify.annotations.Nullable;

/**
 * A count of a group's members in one slot. One step changes the row of a member and increases the count, so both agree
 * even after a crash.
 *
 * @param field the hash field with the number
 * @param unless a hash field; if this field exists, neither the count nor the row is changed. {@code null} if there is
 *     no such condition
 */
record GroupCount(UUID group, String field, @Nullable String unless) {

    static final String BEGUN = "begun";
    static final String FINISHED = "finished";
    static final String FAILED = "failed";
    static final String CANCELLED = "cancelled";

    /** If this field exists, the job that follows the group was already written, or must never be written. */
    static final String ALL_ENDED = "all-ended";

    /** If this field exists, the job that waits for a failure was already written, or must never be written. */
    static final String ANY_FAILED = "any-failed";

    /** If this field exists, the group accepts no new members in this slot. */
    static final String SEAL = "seal";

    /** Returns {@code null} if the change neither starts nor ends a member of a group. */
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

    /**
     * Returns the count for the next job of a chain. This count has no condition, because even a cancelled group
     * accepts the job.
     */
    static @Nullable GroupCount ofFollower(Job job) {
        GroupRef group = groupOf(job);
        return group == null ? null : new GroupCount(group.id(), BEGUN, null);
    }

    /** A mark prevents a job of the group from being written twice. */
    static GroupCount mark(UUID group, String mark) {
        return new GroupCount(group, mark, mark);
    }

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
