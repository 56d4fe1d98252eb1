package io.delayjob.handler;

/** Says whether the limit on a handler's concurrent attempts applies to each instance or to the cluster. */
public enum ConcurrencyScope {
    /**
     * Each instance counts only its own attempts. It counts the attempts of each queue separately. For example, three
     * instances together run up to three times as many attempts as one instance.
     */
    INSTANCE,
    /**
     * The attempts of all instances are counted together. The leases on the handler's queue decide which part of the
     * limit each instance has. Due jobs above the limit wait in the store.
     */
    CLUSTER
}
