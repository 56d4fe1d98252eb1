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
     * A row with this due time is not passed to the claimers before the returned time. This stays true even if the lead
     * time changes later.
     */
    long earliestOfferMillis(long dueMillis);
}
