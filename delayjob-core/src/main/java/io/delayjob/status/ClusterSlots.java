package io.delayjob.status;

/**
 * The slots that an instance has for a handler whose limit applies to the whole cluster.
 *
 * @param limit maximum number of attempts at a time on all instances
 * @param owned number of slots for which this instance has leases
 * @param blocked number of owned slots that the instance cannot use yet
 * @param running number of attempts under way on this instance. After the loss of a lease, this may be more than
 *     {@code owned}
 */
public record ClusterSlots(int limit, int owned, int blocked, int running) {

    /** Returns how many attempts could start now. */
    public int free() {
        return Math.max(0, owned - blocked - running);
    }
}
