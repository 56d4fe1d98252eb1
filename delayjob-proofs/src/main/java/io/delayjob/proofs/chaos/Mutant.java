package io.delayjob.proofs.chaos;

import io.delayjob.store.HandlerTransactions;
import io.delayjob.store.JobStore;
import io.delayjob.test.BrokenRule;
import io.delayjob.test.ForwardingStore;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * A rule of the protocol that an engine is made to break, so that it shows whether a check would notice: those that
 * lean on what a simulation leaves out.
 */
enum Mutant {
    /** None is broken. */
    NONE(null),

    /**
     * A lease belongs to the machine, as is ShedLock's default, and not to the process: shown by a real table of locks.
     */
    HOST_NAME_AS_LEASE_OWNER(null) {
        @Override
        String leaseOwner(String incarnation) {
            return "the-host";
        }
    },

    /** Shown by a database's transactions. */
    HAND_OVER_BEFORE_COMMIT(BrokenRule.HAND_OVER_BEFORE_COMMIT),

    /** Shown by processes that are stopped while their handlers run. */
    COMPLETION_BY_STATE_ONLY(BrokenRule.COMPLETION_BY_STATE_ONLY),

    /** What an atomic handler writes is committed before its end is: shown by processes that are killed in between. */
    EFFECT_APART_FROM_ITS_END(null) {
        @Override
        JobStore spoil(JobStore store) {
            return new ForwardingStore(store) {
                @Override
                public HandlerTransactions handlerTransactions() {
                    return (work, timeout) ->
                            complete(List.of(work.perform().end())).get(0);
                }
            };
        }
    },

    /** Shown by connections that are lost between a commit and its answer. */
    UNKNOWN_CLAIMS_NOT_RELEASED(BrokenRule.UNKNOWN_CLAIMS_NOT_RELEASED);

    private final @Nullable BrokenRule broken;

    Mutant(@Nullable BrokenRule broken) {
        this.broken = broken;
    }

    /** Whom leases belong to. */
    String leaseOwner(String incarnation) {
        return incarnation;
    }

    /** The store as the engine gets it. */
    JobStore spoil(JobStore store) {
        return broken == null ? store : broken.spoil(store);
    }
}
