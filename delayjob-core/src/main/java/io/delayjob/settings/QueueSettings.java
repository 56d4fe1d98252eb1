package io.delayjob.settings;

import io.delayjob.handler.RateLimit;
import org.jspecify.annotations.Nullable;

/**
 * The settings of one queue.
 *
 * @param concurrency maximum number of attempts of the queue that run at a time on this instance, 1 or more
 * @param enabled whether this instance runs jobs of the queue
 * @param rate how many of the queue's attempts may start in a period, on all instances together; {@code null} means no
 *     limit
 */
public record QueueSettings(
        int concurrency, boolean enabled, @Nullable RateLimit rate) {

    /** The default settings of a queue: 16 attempts at a time, and no rate. */
    public static final QueueSettings DEFAULT = new QueueSettings(16, true);

    /** Creates settings without a rate. */
    public QueueSettings(int concurrency, boolean enabled) {
        this(concurrency, enabled, null);
    }

    public QueueSettings {
        if (concurrency < 1) {
            throw new IllegalArgumentException(
                    "Invalid concurrency %d of a queue: must be 1 or more; to switch the queue off on this instance, set enabled=false."
                            .formatted(concurrency));
        }
    }
}
