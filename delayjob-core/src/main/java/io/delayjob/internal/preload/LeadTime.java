package io.delayjob.internal.preload;

/**
 * Decides how long before its due time a row is passed to the claimers. All times are store times in milliseconds.
 * Thread-safe.
 */
public interface LeadTime {

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

    long offerMillis(long dueMillis);

    /**
     * Returns a lower bound of the time at which a row with this due time is passed to the claimers. The bound stays
     * correct even if the lead time changes later.
     */
    long earliestOfferMillis(long dueMillis);
}
