package io.delayjob.job;

/**
 * Counts how many members of a group began, finished, failed and were cancelled. No count ever becomes lower. If a
 * person retries a failed member, the member is counted again. Immutable.
 *
 * @param begun number of times that a member was added, or was retried by a person
 */
public record GroupCounts(long begun, long finished, long failed, long cancelled) {

    /** The counts of a group without members. */
    public static final GroupCounts NONE = new GroupCounts(0, 0, 0, 0);

    /** The counts of one new member. */
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

    /** Adds the other counts to these counts, and returns the sums. */
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
