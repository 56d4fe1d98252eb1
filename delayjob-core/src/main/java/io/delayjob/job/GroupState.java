package io.delayjob.job;

/** The state of a group of jobs. */
public enum GroupState {
    /** The group takes members, and its end is not stated yet. */
    OPEN,

    /** The group ends with its last member. Until then it takes further members, above all from its own members. */
    CLOSED,

    /** The group was closed, and all of its members have ended. It takes no further member. */
    ENDED,

    /** The group was cancelled. It takes no further member, and no job follows it. Running members may go on. */
    CANCELLED;

    /** Tells whether the group takes further members. */
    public boolean takesMembers() {
        return this == OPEN || this == CLOSED;
    }
}
