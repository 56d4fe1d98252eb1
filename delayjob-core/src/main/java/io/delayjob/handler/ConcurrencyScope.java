package io.delayjob.handler;

/** Says whether the limit on a handler's concurrent attempts applies to each instance or to the cluster. */
public enum ConcurrencyScope {
    /**
     * Each instance counts only its own attempts. For example, three instances together run up to three times as many
     * attempts as one instance. If the handler has jobs in several queues, an instance counts the attempts of each
     * queue separately.
     */
    INSTANCE,
    /**
     * The attempts of all instances are counted together. The leases on the handler's queue decide which part of the
     * limit each instance has. Therefore an attempt starts without a request to other instances. If more jobs are due
     * than the limit allows, they wait in the store.
     */
    CLUSTER
}
