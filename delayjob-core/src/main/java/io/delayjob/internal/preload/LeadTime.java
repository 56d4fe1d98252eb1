package io.delayjob.internal.preload;

/**
 * The time before their due time at which rows are handed to the claimers, because a claim takes a while. Times are
 * store times in milliseconds. Thread-safe.
 */
public interface LeadTime {

    /** Hands on every row when it is due. */
    LeadTime NONE = new LeadTime() {
        @Override
        public long offerMillis(long dueMillis) {
            return dueMillis;
        }

        @Override
        public long earliestOfferMillis(long dueMillis) {
            return dueMillis;
        }
    };

    /** Returns when a row with this due time may be handed on, by the present estimate. */
    long offerMillis(long dueMillis);

    /**
     * Returns the earliest time at which a row with this due time may be handed on, even if the lead changes until
     * then.
     */
    long earliestOfferMillis(long dueMillis);
}
