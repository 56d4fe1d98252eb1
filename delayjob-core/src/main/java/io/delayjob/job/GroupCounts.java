package io.delayjob.job;

/**
 * Numbers of a group's members. No number ever falls. A failed member that is retried by hand begins again, and counts
 * again when it ends. Immutable.
 *
 * @param begun members that were added, or retried by hand
 * @param finished members that ended as {@link JobState#FINISHED}
 * @param failed members that ended as {@link JobState#FAILED}
 * @param cancelled members that ended as {@link JobState#CANCELLED}
 */
public record GroupCounts(long begun, long finished, long failed, long cancelled) {

    /** No members. */
    public static final GroupCounts NONE = new GroupCounts(0, 0, 0, 0);

    /** One member that begins. */
    public static final GroupCounts BEGIN = new GroupCounts(1, 0, 0, 0);

    /** Returns the counts for one member that ends in this state. */
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
