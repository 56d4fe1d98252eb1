package io.delayjob.settings;

/**
 * What is said about one queue.
 *
 * @param concurrency maximum number of its attempts at a time on this instance, 1 or more
 * @param enabled whether this instance works the queue
 */
public record QueueSettings(int concurrency, boolean enabled) {

    /** As many attempts at a time as suit the connection pools of most applications. */
    public static final QueueSettings DEFAULT = new QueueSettings(16, true);

    public QueueSettings {
        if (concurrency < 1) {
            throw new IllegalArgumentException(
                    "Invalid concurrency %d of a queue: must be 1 or more; to switch it off here, set enabled=false."
                            .formatted(concurrency));
        }
    }
}
