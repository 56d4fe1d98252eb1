package io.delayjob.internal.limit;

import io.delayjob.handler.RateLimit;

/**
 * Contains this instance's part of a rate, as a token bucket. A claim only reserves a token, because another instance
 * may already have claimed the row.
 *
 * <pre>
 *   share = led partitions / all partitions of the queue
 *
 *   rate * share  ---> | tokens: reserved | free |        at most burst * share + 1
 *                          start takes one '---- a claim reserves one, and leaves it if nothing starts
 * </pre>
 *
 * <p>At most {@code share * (burst + rate * t) + 1} attempts start in any time t. If the share grows, no tokens are
 * added at once, because the former leader may just have used these tokens.
 *
 * <p>If an instance had no share before, its bucket begins with a fraction of a token. The fraction is computed from
 * the rate and the time since 1970. If the bucket began empty after each deployment, a low rate might never reach a
 * whole token. The lock of the tickets guards this object.
 */
final class Bucket {

    /** A claim waits for the tokens of this period. Otherwise, a high rate would need one claim for each start. */
    private static final long BATCH_NANOS = 10_000_000;

    private static final double ROUNDING = 1e-6;

    private static final double NANOS_PER_MILLI = 1e6;

    private static final long LONGEST_NANOS = Long.MAX_VALUE / 4;

    private final double rate;
    private final int burst;
    private double share;

    private int extra = 1;

    private double tokens;
    private long asOfNanos;
    private int reserved;

    Bucket(RateLimit limit, double share, long nowNanos) {
        rate = limit.startsPerNano();
        burst = limit.burst();
        this.share = share;
        asOfNanos = nowNanos;
    }

    /** @param tokens number of tokens that the bucket would have now if no attempt had started */
    static Bucket ofWholeRate(RateLimit limit, double tokens, long nowNanos) {
        Bucket bucket = new Bucket(limit, 1, nowNanos);
        bucket.tokens = tokens;
        bucket.setExtra(0);
        return bucket;
    }

    /**
     * @param share this instance's share of the rate from now on, 0 to 1
     * @param storeMillis the present store time, or a little less
     */
    void refill(double share, long nowNanos, long storeMillis) {
        // Up to now, the smaller of the old and the new share counts; from now on, the new one.
        tokens = Math.min(tokens + rate * Math.min(share, this.share) * (nowNanos - asOfNanos), most());
        if (this.share == 0 && tokens == 0) {
            double sinceEpoch = rate * share * NANOS_PER_MILLI * storeMillis;
            tokens = sinceEpoch - Math.floor(sinceEpoch);
        }
        this.share = share;
        asOfNanos = nowNanos;
        tokens = Math.min(tokens, most());
    }

    /** Removes the free tokens, because they may come from a lease that has ended. */
    void empty() {
        tokens = Math.min(tokens, reserved);
    }

    private double most() {
        return share > 0 ? burst * share + extra : 0;
    }

    void setExtra(int extra) {
        this.extra = extra;
        tokens = Math.min(tokens, most());
    }

    boolean hasReserved() {
        return reserved > 0;
    }

    long emptyAtNanos() {
        return asOfNanos - (long) Math.min(tokens / (rate * share), LONGEST_NANOS);
    }

    int free() {
        return (int) Math.floor(tokens + ROUNDING) - reserved;
    }

    boolean isFull() {
        return share > 0 && reserved == 0 && tokens + ROUNDING >= most();
    }

    void reserve() {
        reserved++;
    }

    void start() {
        reserved--;
        tokens--;
    }

    void leave() {
        reserved--;
    }

    long untilNanos() {
        return untilNanos(0);
    }

    long untilNanos(int promised) {
        if (share == 0) {
            return Long.MAX_VALUE;
        }
        double wanted = Math.max(1, Math.min(most() / 2, rate * share * BATCH_NANOS));
        return (long) Math.ceil(Math.max(0, reserved + promised + wanted - tokens) / (rate * share));
    }

    long within(long nanos) {
        return Math.max(1, (long) (most() + rate * share * nanos));
    }
}
