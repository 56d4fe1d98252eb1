package io.delayjob.job;

/** The state of a group of jobs. */
public enum GroupState {
    /** The group accepts members, and is not closed. */
    OPEN,

    /** The group was closed, and ends when its last member has ended. Until then, the group accepts members. */
    CLOSED,

    /** The group was closed, and all members have ended. The group accepts no members. */
    ENDED,

    /**
     * The group was cancelled. The group accepts no members, and no job follows the group. Running members may
     * continue. If such a member finishes, its chain continues, too.
     */
    CANCELLED;

    /** Tells whether the group accepts members. */
    public boolean takesMembers() {
        return this == OPEN || this == CLOSED;
    }
}
