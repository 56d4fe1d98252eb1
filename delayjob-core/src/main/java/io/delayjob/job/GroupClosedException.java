package io.delayjob.job;

/** Thrown by a call that closes a group that is closed already. The call has changed nothing. */
public final class GroupClosedException extends IllegalStateException {

    private static final long serialVersionUID = 1;

    public GroupClosedException(String name) {
        super(("Group '%s' is closed already, so the job that follows the group cannot be changed. Close a group only "
                        + "once. To let another job follow, cancel the group and use a new name.")
                .formatted(Printable.of(name)));
    }
}
