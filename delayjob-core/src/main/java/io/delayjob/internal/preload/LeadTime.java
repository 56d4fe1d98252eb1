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
     * Returns a lower bound of the time when a row with this due time is passed to the claimers. The bound stays
     * correct even if the lead changes meanwhile.
     */
    long earliestOfferMillis(long dueMillis);
}
