package io.delayjob.job;

/** The state of a group of jobs. */
public enum GroupState {
    /** The group accepts members, and was not closed yet. */
    OPEN,

    /**
     * The group was closed, and ends when its last member has ended. Until then, the group accepts further members,
     * which are usually added by the handlers of its members.
     */
    CLOSED,

    /** The group was closed, and all of its members have ended. The group accepts no further member. */
    ENDED,

    /**
     * The group was cancelled. The group accepts no further member, and no job follows the group. Running members may
     * continue.
     */
    CANCELLED;

    /** Tells whether the group accepts further members. */
    public boolean takesMembers() {
        return this == OPEN || this == CLOSED;
    }
}
