package io.delayjob.job;

/** The state of a group of jobs. */
public enum GroupState {
    /** The group takes members, and was not closed yet. */
    OPEN,

    /**
     * The group was closed, so it ends when its last member has ended. Until then it takes further members, which
     * usually the handlers of its members add.
     */
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
