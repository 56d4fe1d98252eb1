package io.delayjob.proofs.chaos;

import java.util.Collections;
import java.util.EnumSet;
import java.util.List;
import java.util.Set;

/** The faults of the processes, of their network and of their store's server. */
enum FaultKind {
    KILL(true),
    /** The process gets SIGSTOP, and after a while SIGCONT. Only other processes notice the pause. */
    PAUSE(true),
    /**
     * The process gets SIGSTOP. It then gets SIGCONT before any other process may treat it as dead. Only rounds with
     * limits need this fault.
     */
    HALT(true),
    TERMINATE(false),
    RESTART(false),
    /** Every connection of a process is reset, and new connections are refused for a while. */
    CUT(true),
    /** For a while, no request of a process arrives. */
    STALL_REQUESTS(true),
    /** For a while, no answer reaches a process. */
    STALL_ANSWERS(true),
    /** The present connections of a process never answer again, but new connections work. */
    STRAND(true),
    /** A commit has succeeded, but the connection is reset before its answer arrives. */
    LOSE_ANSWER(false),
    HOLD_ANSWER(false),
    /** The connection is reset, but a commit that the process had sent arrives at the server later. */
    DELAY_REQUEST(false),
    EXHAUST_POOL(false),
    /** Redis has carried out the commands of a process, but every connection is reset before the answers arrive. */
    LOSE_ANSWERS(false),
    FORGET_SCRIPTS(false),
    /** A script of another client blocks Redis for a while, until the script is killed. */
    BUSY_SCRIPT(false),
    FULL_MEMORY(false),
    /** A master of Redis dies, and its replica takes its place. The replica lacks the last writes. */
    FAILOVER(false);

    static final Set<FaultKind> ON_POSTGRESQL =
            allBut(HALT, LOSE_ANSWERS, FORGET_SCRIPTS, BUSY_SCRIPT, FULL_MEMORY, FAILOVER);

    /**
     * Leaves out faults of transactions, of the connection pool and of replicas, which a single Redis server does not
     * have.
     */
    static final Set<FaultKind> ON_REDIS =
            allBut(HALT, LOSE_ANSWER, HOLD_ANSWER, DELAY_REQUEST, EXHAUST_POOL, FAILOVER);

    /** Leaves out faults of the network, because the processes reach a Redis Cluster without a proxy. */
    static final Set<FaultKind> ON_A_REDIS_CLUSTER =
            Collections.unmodifiableSet(EnumSet.of(KILL, PAUSE, TERMINATE, RESTART, FAILOVER));

    private static Set<FaultKind> allBut(FaultKind... left) {
        return Collections.unmodifiableSet(EnumSet.complementOf(EnumSet.copyOf(List.of(left))));
    }

    private final boolean silences;

    FaultKind(boolean silences) {
        this.silences = silences;
    }

    boolean isAtCommit() {
        return this == LOSE_ANSWER || this == HOLD_ANSWER || this == DELAY_REQUEST;
    }

    boolean isOfServer() {
        return this == RESTART
                || this == FORGET_SCRIPTS
                || this == BUSY_SCRIPT
                || this == FULL_MEMORY
                || this == FAILOVER;
    }

    /** Tells whether the fault silences a process. Only a fault that silences a process explains a repeated attempt. */
    boolean silences() {
        return silences;
    }
}
