package io.delayjob.proofs.chaos;

/** Faults of the processes, their network and their database. */
enum FaultKind {
    /** {@code kill -9}; another process takes its place. */
    KILL(true),
    /** SIGSTOP, and SIGCONT after a while. The process does not notice, but all others do. */
    PAUSE(true),
    /** SIGTERM; another process takes its place at once. */
    TERMINATE(false),
    /** The database server is killed, and started again. */
    RESTART(false),
    /** Every connection of a process is reset, and new ones are refused for a while. */
    CUT(true),
    /** Requests of a process do not arrive for a while; then all of them arrive. */
    STALL_REQUESTS(true),
    /** Answers to a process do not arrive for a while; then all of them arrive. */
    STALL_ANSWERS(true),
    /** The connections of a process fall silent for ever; new ones work. */
    STRAND(true),
    /** A commit is done, but the connection is reset before its answer. */
    LOSE_ANSWER(false),
    /** A commit is done, but its answer arrives late. */
    HOLD_ANSWER(false),
    /** The connection is reset, but the commit that it had sent arrives later. */
    DELAY_REQUEST(false),
    /** Another component takes all connections of the pool. */
    EXHAUST_POOL(false);

    private final boolean silences;

    FaultKind(boolean silences) {
        this.silences = silences;
    }

    /** Tells whether a fault of this kind affects only a single commit of the process. */
    boolean isAtCommit() {
        return this == LOSE_ANSWER || this == HOLD_ANSWER || this == DELAY_REQUEST;
    }

    /**
     * Tells whether a process may seem dead because of such a fault, if the fault lasts long enough. Only such a fault
     * explains that another process repeats an attempt.
     */
    boolean silences() {
        return silences;
    }
}
