package io.delayjob.status;

/**
 * The slots that an instance has of a handler whose concurrency counts in the whole cluster.
 *
 * @param limit maximum number of attempts at a time on all instances
 * @param owned number of slots that this instance has by its leases
 * @param blocked number of these slots that the instance cannot use yet: attempts of former owners may still run, or
 *     the instance still reads which jobs run
 * @param running number of attempts under way on this instance. It may be more than {@code owned}, after a lease has
 *     ended
 */
public record ClusterSlots(int limit, int owned, int blocked, int running) {

    /** Returns the number of slots in which an attempt could start now. */
    public int free() {
        return Math.max(0, owned - blocked - running);
    }
}
