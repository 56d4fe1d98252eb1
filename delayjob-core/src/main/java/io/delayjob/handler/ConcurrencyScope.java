package io.delayjob.handler;

/** Says whether the limit on a handler's concurrent attempts applies to each instance or to the cluster. */
public enum ConcurrencyScope {
    /** Each instance counts only its own attempts. So with three instances, up to three times as many attempts run. */
    INSTANCE,
    /**
     * The attempts of all instances are counted together. The leases on the handler's queue decide which part of the
     * limit each instance has. So an attempt starts without a request to other instances. If more jobs are due than the
     * limit allows, they wait unclaimed.
     */
    CLUSTER
}
