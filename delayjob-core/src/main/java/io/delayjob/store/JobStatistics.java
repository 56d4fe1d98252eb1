package io.delayjob.store;

import java.time.Instant;
import java.util.List;

/**
 * Keeps the statistics of each minute. Each instance writes its own statistics, and people read the statistics of all
 * instances. A store without {@link StoreCapability#STATISTICS} refuses each call; the message names the missing
 * ability. Thread-safe; see {@link JobStore} for the rules of all roles of a store.
 */
public interface JobStatistics {

    /**
     * Writes the per-minute statistics of an instance. If a row of the same minute, instance and name exists already,
     * the existing row does not change. So a caller may repeat the call after an error.
     *
     * @param owner number of the instance
     * @param rows at most a few hundred rows, and at most one row for each name and minute
     */
    void recordMinutes(long owner, List<MinuteRow> rows);

    /**
     * Returns the sums over all instances, by bucket and name, in any order. If a name has no row in a bucket, the
     * result contains no sum for this name and bucket. The method reads all committed rows of the span.
     *
     * @throws StoreException if the read takes longer than the store's time limit. This exception is {@linkplain
     *     StoreException#isTransient() transient}
     */
    List<MinuteSum> minutes(MinuteSpan span);

    /**
     * Deletes the statistics of minutes that began before this time. One call deletes at most one hour of statistics,
     * beginning with the oldest minute.
     *
     * @return whether there may be more minutes to delete
     */
    boolean purgeMinutes(Instant before);
}
