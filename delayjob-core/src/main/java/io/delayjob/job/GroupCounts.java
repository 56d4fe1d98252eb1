package io.delayjob.job;

/**
 * Counts the members of a group: how many have begun, and how many have ended in each way. None of these numbers ever
 * becomes lower. If a person retries a failed member, this member is counted as begun a second time. When it ends, it
 * is counted as ended a second time. Immutable.
 *
 * @param begun number of members that were added, or that a person has retried
 * @param finished number of members that ended as {@link JobState#FINISHED}
 * @param failed number of members that ended as {@link JobState#FAILED}
 * @param cancelled number of members that ended as {@link JobState#CANCELLED}
 */
public record GroupCounts(long begun, long finished, long failed, long cancelled) {

    /** The counts of a group without members. */
    public static final GroupCounts NONE = new GroupCounts(0, 0, 0, 0);

    /** The counts for one member that begins. */
    public static final GroupCounts BEGIN = new GroupCounts(1, 0, 0, 0);

    /** Returns the counts to add when one member ends in this state. */
    public static GroupCounts endAs(JobState state) {
        return switch (state) {
            case FINISHED -> new GroupCounts(0, 1, 0, 0);
            case FAILED -> new GroupCounts(0, 0, 1, 0);
            case CANCELLED -> new GroupCounts(0, 0, 0, 1);
            case DELAYED, READY, RUNNING, AWAITING ->
                throw new IllegalArgumentException("A member in state %s has not ended.".formatted(state));
        };
    }

    /** Returns the sums of these counts and the given counts. */
    public GroupCounts plus(GroupCounts other) {
        return new GroupCounts(
                begun + other.begun, finished + other.finished, failed + other.failed, cancelled + other.cancelled);
    }

    /** Returns the number of members that have ended. */
    public long ended() {
        return finished + failed + cancelled;
    }

    /** Tells whether every member has ended. */
    public boolean isComplete() {
        return ended() == begun;
    }
}
