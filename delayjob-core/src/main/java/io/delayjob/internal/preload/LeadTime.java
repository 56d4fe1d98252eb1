package io.delayjob.internal.preload;

/**
 * How long before their time rows are handed to whoever claims them: claims take a while. Times are store times in
 * milliseconds. Thread-safe.
 */
public interface LeadTime {

    /** Every row is handed on when it is due. */
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

    /** When a row that is due then may be handed on, as it seems at present. */
    long offerMillis(long dueMillis);

    /** When a row that is due then may be handed on at the earliest, whatever changes until then. */
    long earliestOfferMillis(long dueMillis);
}
