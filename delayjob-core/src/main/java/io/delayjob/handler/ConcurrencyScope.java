package io.delayjob.handler;

/** Where a handler's concurrency counts. */
public enum ConcurrencyScope {
    /** On each instance by itself: with three instances, up to three times as many attempts run. */
    INSTANCE,
    /**
     * On all instances together. The instances share the number by their leases on the handler's queue, so nobody is
     * asked before an attempt starts. Due jobs beyond the number wait unclaimed.
     */
    CLUSTER
}
