package io.delayjob.internal.maintain;

import io.delayjob.store.DueSink;
import io.delayjob.store.JobGroups;
import io.delayjob.time.Agent;
import io.delayjob.time.EngineClock;
import java.time.Duration;
import java.util.function.BooleanSupplier;
import java.util.random.RandomGenerator;
import org.jspecify.annotations.Nullable;

/**
 * Adds up the members of groups that have begun and ended, and lets groups end. One instance of the cluster does it
 * once a second. All others do it more rarely, in case that instance cannot. Two instances at the same time do no harm,
 * because each step takes place once. For one agent thread.
 */
public final class GroupFold implements Agent {

    /** Time between two calls by the instance that is responsible. */
    static final Duration PAUSE = Duration.ofSeconds(1);

    /** Time between two calls by any other instance. */
    static final Duration LONG_PAUSE = Duration.ofSeconds(10);

    private static final Duration BETWEEN_PURGES = Duration.ofMinutes(1);

    /** Minimum time for which groups are kept, because the jobs that follow groups read their numbers. */
    private static final Duration KEPT_AT_LEAST = Duration.ofDays(1);

    private static final int CHUNK = 1_000;

    private final @Nullable JobGroups groups;
    private final BooleanSupplier isResponsible;
    private final EngineClock clock;
    private final RandomGenerator random;
    private final DueSink nearDue;
    private final Duration kept;
    private long nextPurgeNanos;

    /**
     * @param groups the groups; {@code null} if the store has none
     * @param isResponsible tells whether this instance adds up for all
     * @param nearDue takes the rows of jobs that follow groups
     * @param kept the time for which finished jobs are kept
     */
    public GroupFold(
            @Nullable JobGroups groups,
            BooleanSupplier isResponsible,
            EngineClock clock,
            RandomGenerator random,
            DueSink nearDue,
            Duration kept) {
        this.groups = groups;
        this.isResponsible = isResponsible;
        this.clock = clock;
        this.random = random;
        this.nearDue = nearDue;
        this.kept = kept.compareTo(KEPT_AT_LEAST) < 0 ? KEPT_AT_LEAST : kept;
        this.nextPurgeNanos = clock.nanoTime() + BETWEEN_PURGES.toNanos();
    }

    @Override
    public String roleName() {
        return "groups";
    }

    @Override
    public long doWork() {
        if (groups == null) {
            return UNTIL_WOKEN;
        }
        boolean more = groups.fold(clock.storeTime(), random.nextLong(), nearDue);
        boolean responsible = isResponsible.getAsBoolean();
        if (responsible && kept.compareTo(Retention.CENTURY) <= 0 && clock.nanoTime() - nextPurgeNanos >= 0) {
            int purged = groups.purge(clock.storeTime().minus(kept), CHUNK);
            nextPurgeNanos = clock.nanoTime() + (purged == CHUNK ? 0 : BETWEEN_PURGES.toNanos());
        }
        return more ? 0 : (responsible ? PAUSE : LONG_PAUSE).toNanos();
    }
}
