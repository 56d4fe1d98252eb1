package io.delayjob.internal.preload;

/**
 * Decides how long before its due time a row is passed to the claimers. A row is passed on early, because a claim takes
 * some time. All times are store times in milliseconds. Thread-safe.
 */
public interface LeadTime {

    /** Passes every row to the claimers when the row is due. */
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

    /** Returns when a row with this due time may be passed to the claimers, by the present estimate. */
    long offerMillis(long dueMillis);

    /**
     * Returns a time before which a row with this due time is never passed to the claimers, even if the lead changes
     * until then.
     */
    long earliestOfferMillis(long dueMillis);
}
