package io.delayjob.status;

/**
 * A rate key whose rate holds back jobs. The instance that decides about the key has these jobs in memory.
 *
 * @param queue the queue of these jobs. If jobs with the same key are in two queues, each queue has its own rate for
 *     this key
 * @param key the key; empty for jobs without a key
 * @param waiting number of due rows in memory that wait for the rate
 */
public record LimitedKey(String queue, String handler, String key, int waiting) {

    /** Maximum number of keys that an instance lists. */
    public static final int MOST_LISTED = 100;
}
