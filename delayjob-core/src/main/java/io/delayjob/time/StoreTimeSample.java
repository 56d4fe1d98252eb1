package io.delayjob.time;

/**
 * One reading of the store's clock.
 *
 * @param requestNanos monotonic time just before the store was asked
 * @param replyNanos monotonic time just after the answer arrived
 * @param storeMicros what the store's clock showed at a moment between the request and the reply, in microseconds since
 *     the epoch
 */
public record StoreTimeSample(long requestNanos, long replyNanos, long storeMicros) {

    /**
     * Returns the time from the request to the reply, in nanoseconds. This time is also the maximum error of the
     * reading.
     */
    public long roundTripNanos() {
        return replyNanos - requestNanos;
    }
}
