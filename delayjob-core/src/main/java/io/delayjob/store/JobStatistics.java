package io.delayjob.store;

import java.time.Instant;
import java.util.List;

/**
 * What happened in each minute, written by each instance and read for people. Only stores with {@link
 * StoreCapability#STATISTICS} have it; the others refuse each call by name. Thread-safe; see {@link JobStore} for the rules
 * of all roles.
 */
public interface JobStatistics {

    /**
     * Writes what an instance did in a minute that is over for it. A row of the same minute, instance and name that is there
     * already stays as it is, so a call whose answer was lost may be repeated.
     *
     * @param owner number of the instance
     * @param rows at most some hundred, each name once a minute
     */
    void recordMinutes(long owner, List<MinuteRow> rows);

    /**
     * The sums over all instances, by bucket and name, in no order; what is zero is left out. Sees committed rows. Reads
     * every row of the span.
     *
     * @throws StoreException {@linkplain StoreException#isTransient() transient}, when it takes longer than reads for
     *     people may
     */
    List<MinuteSum> minutes(MinuteSpan span);

    /**
     * Forgets minutes that begin before that time: at most an hour of the oldest in one call.
     *
     * @return whether there are more
     */
    boolean purgeMinutes(Instant before);
}
