package io.delayjob.job;

/** Thrown by a call that adds to a group that has ended or was cancelled. The call has written nothing. */
public final class GroupEndedException extends RuntimeException {

    private static final long serialVersionUID = 1;

    public GroupEndedException(String name) {
        super(("Group '%s' has ended or was cancelled, so no job can be added. Choose a name that no group has, or add "
                        + "jobs within the handler of a member, before the last member ends.")
                .formatted(Printable.of(name)));
    }
}
