package io.delayjob.time;

/**
 * One reading of the store's clock.
 *
 * @param requestNanos monotonic time just before the store was asked
 * @param replyNanos monotonic time just after the answer arrived
 * @param storeMicros the time on the store's clock between the request and the reply, in microseconds since the epoch
 */
public record StoreTimeSample(long requestNanos, long replyNanos, long storeMicros) {

    /** Returns the time from the request to the reply, in nanoseconds. The reading is wrong by at most this time. */
    public long roundTripNanos() {
        return replyNanos - requestNanos;
    }
}
