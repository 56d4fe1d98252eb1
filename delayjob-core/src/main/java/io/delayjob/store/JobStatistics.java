package io.delayjob.store;

import java.time.Instant;
import java.util.List;

/**
 * The numbers of each minute. Each instance writes its own numbers, and people read them. Only stores with {@link
 * StoreCapability#STATISTICS} keep these numbers. Other stores refuse each call, and the message names the ability.
 * Thread-safe; see {@link JobStore} for the rules of all roles.
 */
public interface JobStatistics {

    /**
     * Writes what an instance did in a minute that is over. An existing row of the same minute, instance and name does
     * not change, so a call without an answer may be repeated.
     *
     * @param owner number of the instance
     * @param rows at most some hundred rows, each name once a minute
     */
    void recordMinutes(long owner, List<MinuteRow> rows);

    /**
     * Returns the sums over all instances, by bucket and name, in no order. A name without a row in a bucket has no sum
     * there. Sees committed rows. Reads every row of the span.
     *
     * @throws StoreException {@linkplain StoreException#isTransient() transient}, if the read exceeds the time limit of
     *     reads for people
     */
    List<MinuteSum> minutes(MinuteSpan span);

    /**
     * Deletes minutes that began before that time. One call deletes at most one hour: the oldest minute and those that
     * follow it within the hour of the clock, or within 60 minutes.
     *
     * @return whether more of them may be left
     */
    boolean purgeMinutes(Instant before);
}
