package io.delayjob.job;

/** Thrown by calls that close a group of jobs that is closed already. Nothing was changed. */
public final class GroupClosedException extends IllegalStateException {

    private static final long serialVersionUID = 1;

    /** @param name name of the group */
    public GroupClosedException(String name) {
        super(("Group '%s' is closed already, so the job that follows the group cannot be changed. Close a group only "
                        + "once. To let another job follow, cancel the group and use a new name.")
                .formatted(Printable.of(name)));
    }
}
