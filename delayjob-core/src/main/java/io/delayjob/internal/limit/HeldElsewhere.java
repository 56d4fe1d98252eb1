package io.delayjob.internal.limit;

import io.delayjob.job.DueRow;
import io.delayjob.job.Partition;
import java.util.Collection;
import java.util.Map;

/**
 * Represents a limit that the leaders of partitions enforce. A job that a former leader has claimed may still be
 * running on that instance, and then counts towards the limit. Therefore a new leader must know the running rows before
 * it decides about new attempts. The lock of the tickets guards this object.
 */
public interface HeldElsewhere {

    /**
     * Forgets what is known from leases that have ended. Returns partitions, each with its present lease. For the
     * limits of these partitions, the running rows must still be read.
     */
    Map<Partition, Long> unread();

    /**
     * Tells whether the partition {@code place} may contain rows that count towards limits of the partition {@code
     * home}. Any thread may call this method.
     */
    boolean mayLieIn(Partition home, Partition place);

    /** Tells whether this running row may count towards a limit of this object. Any thread may call this method. */
    boolean isUsedUpBy(DueRow running);

    /**
     * Receives the rows that run on other instances.
     *
     * @param term the number of a lease of this instance. The rows in {@code elsewhere} were read after this lease
     *     began
     * @param elsewhere running rows of other instances. They include all rows that use the limits of {@code home}, and
     *     perhaps further rows
     */
    void learn(Partition home, long term, Collection<DueRow> elsewhere);

    /** Returns the running rows of other instances that must end before jobs of this instance can start. */
    Collection<DueRow> awaited();

    /** Records that these rows no longer run on other instances. */
    void ended(Collection<DueRow> rows);
}
