package io.delayjob.status;

/**
 * Contains the slots that an instance has for one handler. The concurrency of this handler is limited in the whole
 * cluster.
 *
 * @param limit maximum number of attempts at a time on all instances
 * @param owned number of slots that this instance has because of its leases
 * @param blocked number of owned slots that the instance cannot use yet. There are two reasons: attempts of former
 *     owners may still run, or the instance does not know all running jobs yet
 * @param running number of attempts under way on this instance. After the loss of a lease, this number may be greater
 *     than {@code owned} until these attempts have ended
 */
public record ClusterSlots(int limit, int owned, int blocked, int running) {

    /** Returns how many attempts could start at present in free slots. */
    public int free() {
        return Math.max(0, owned - blocked - running);
    }
}
