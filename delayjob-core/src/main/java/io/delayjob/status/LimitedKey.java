package io.delayjob.status;

/**
 * A key with jobs that wait for the key's rate, as known to the instance that decides about the key.
 *
 * @param queue the queue of these jobs. In each queue, the rate of the handler applies to the key separately
 * @param key the key; empty for jobs without a key
 * @param waiting number of due rows in memory that wait for the rate
 */
public record LimitedKey(String queue, String handler, String key, int waiting) {

    /** Maximum number of keys that an instance lists. */
    public static final int MOST_LISTED = 100;
}
