package io.delayjob.handler;

/** Where a handler's concurrency counts. */
public enum ConcurrencyScope {
    /** Each instance counts its own attempts. So with three instances, up to three times as many attempts run. */
    INSTANCE,
    /**
     * The attempts of all instances are counted together. The leases on the handler's queue decide which part of the
     * number each instance has. So an attempt starts without a request to other instances. Due jobs beyond the number
     * wait unclaimed.
     */
    CLUSTER
}
