package io.delayjob.proofs.chaos;

/** What is done to the processes, their network and their database. */
enum FaultKind {
    /** {@code kill -9}; another process takes its place. */
    KILL(true),
    /** SIGSTOP, and SIGCONT after a while: the process does not notice, but everybody else does. */
    PAUSE(true),
    /** SIGTERM; another process takes its place at once. */
    TERMINATE(false),
    /** The database server is killed, and started again. */
    RESTART(false),
    /** Every connection of a process is reset, and new ones are refused for a while. */
    CUT(true),
    /** Nothing that a process sends arrives for a while; then all does. */
    STALL_REQUESTS(true),
    /** No answer arrives for a while; then all do. */
    STALL_ANSWERS(true),
    /** The connections of a process fall silent for ever; new ones work. */
    STRAND(true),
    /** A commit is done, and the connection is reset before its answer. */
    LOSE_ANSWER(false),
    /** A commit is done, and its answer arrives late. */
    HOLD_ANSWER(false),
    /** The connection is reset, and the commit that it had sent arrives later. */
    DELAY_REQUEST(false),
    /** Something else takes all connections of the pool. */
    EXHAUST_POOL(false);

    private final boolean silences;

    FaultKind(boolean silences) {
        this.silences = silences;
    }

    /** Whether it is about one commit, and nothing else of the process. */
    boolean isAtCommit() {
        return this == LOSE_ANSWER || this == HOLD_ANSWER || this == DELAY_REQUEST;
    }

    /**
     * Whether a process may seem dead by it, if it lasts. Only that explains that another process repeats what it was
     * doing.
     */
    boolean silences() {
        return silences;
    }
}
