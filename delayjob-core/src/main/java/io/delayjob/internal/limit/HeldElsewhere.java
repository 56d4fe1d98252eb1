package io.delayjob.internal.limit;

import io.delayjob.job.DueRow;
import io.delayjob.job.Partition;
import java.util.Collection;
import java.util.Map;

/**
 * A limit that the leaders of partitions enforce. Jobs that run on other instances may count against it. A former
 * leader may have claimed such a job. So a new leader must know the running rows before it decides. Guarded by the lock of the
 * tickets.
 */
public interface HeldElsewhere {

    /**
     * Forgets what it knows under leases that have ended. Returns the partitions whose limits wait for a read of the
     * running rows, each with its present lease.
     */
    Map<Partition, Long> unread();

    /** Tells whether rows that use up limits of {@code home} may lie in {@code place}. Any thread may ask. */
    boolean mayLieIn(Partition home, Partition place);

    /** Tells whether this running row may use up a limit. Any thread may ask. */
    boolean isUsedUpBy(DueRow running);

    /**
     * Takes note of the rows that run elsewhere.
     *
     * @param term the lease after whose begin they were read
     * @param elsewhere all of them that use up limits of this partition, or more
     */
    void learn(Partition home, long term, Collection<DueRow> elsewhere);

    /** Returns the running rows of other instances whose ends are awaited here. */
    Collection<DueRow> awaited();

    /** Takes note that these rows no longer run elsewhere. */
    void ended(Collection<DueRow> rows);
}
