package io.delayjob.handler;

/** Where a handler's concurrency counts. */
public enum ConcurrencyScope {
    /** On each instance separately: with three instances, up to three times as many attempts run. */
    INSTANCE,
    /**
     * On all instances together. The leases on the handler's queue decide which part of the number each instance has.
     * So an attempt starts without a request to other instances. Due jobs beyond the number wait unclaimed.
     */
    CLUSTER
}
