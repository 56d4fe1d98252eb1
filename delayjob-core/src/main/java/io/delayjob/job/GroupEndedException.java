package io.delayjob.job;

/** Thrown by calls that add something to a group of jobs that has ended or was cancelled. Nothing was written. */
public final class GroupEndedException extends RuntimeException {

    private static final long serialVersionUID = 1;

    /** @param name name of the group */
    public GroupEndedException(String name) {
        super(
                ("Group '%s' has ended or was cancelled, so it takes nothing more. Choose a name that no group has, or add "
                                + "jobs from within members of the group, before they end.")
                        .formatted(Printable.of(name)));
    }
}
