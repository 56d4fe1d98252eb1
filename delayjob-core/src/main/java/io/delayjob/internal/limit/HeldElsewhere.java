package io.delayjob.internal.limit;

import io.delayjob.job.DueRow;
import io.delayjob.job.Partition;
import java.util.Collection;
import java.util.Map;

/**
 * Represents a limit that the leaders of partitions enforce. A job that a former leader has claimed may still be
 * running, and then counts towards the limit. Therefore, a new leader must first read the rows that are still running.
 * The lock of the tickets guards this object.
 */
public interface HeldElsewhere {

    /**
     * Forgets what is known from ended leases. Returns each partition whose running rows must still be read, with the
     * number of its present lease.
     */
    Map<Partition, Long> unread();

    /** Any thread may call this method. */
    boolean mayLieIn(Partition home, Partition place);

    /** Any thread may call this method. */
    boolean isUsedUpBy(DueRow running);

    /**
     * @param term the number of the lease under which the rows were read
     * @param elsewhere all running rows that use the limits of {@code home}, and perhaps other running rows
     */
    void learn(Partition home, long term, Collection<DueRow> elsewhere);

    /** Returns running rows of other instances. Waiting jobs can start only after these rows have ended. */
    Collection<DueRow> awaited();

    void ended(Collection<DueRow> rows);
}
