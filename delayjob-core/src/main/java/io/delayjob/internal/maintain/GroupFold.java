package io.delayjob.internal.maintain;

import io.delayjob.event.JobListeners;
import io.delayjob.job.GroupStatus;
import io.delayjob.store.DueSink;
import io.delayjob.store.JobGroups;
import io.delayjob.time.Agent;
import io.delayjob.time.EngineClock;
import java.time.Duration;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.function.BooleanSupplier;
import java.util.random.RandomGenerator;
import org.jspecify.annotations.Nullable;

/**
 * Adds up how many members of each group have begun and ended, and ends a group after its last member. While there are
 * groups, one instance of the cluster does this work twice a second. All other instances do this work less often. Each
 * step takes effect only once, so two instances may work at the same time.
 *
 * <p>Any thread may call {@link #named}. Only one agent thread calls the other methods.
 */
public final class GroupFold implements Agent {

    /**
     * Time between two checks by an instance that watches groups. The job that follows a group must start within a
     * second after the end of the group.
     */
    static final Duration PAUSE = Duration.ofMillis(500);

    /** Time between two checks by all other instances, while there are groups. */
    static final Duration LONG_PAUSE = Duration.ofSeconds(10);

    /**
     * Time between two searches for groups, while there are none. After a caller has named a group, an instance also
     * watches groups for this time. The caller's transaction may not have committed yet.
     */
    static final Duration RARELY = Duration.ofMinutes(10);

    private static final Duration BETWEEN_PURGES = Duration.ofMinutes(1);

    /** Minimum time for which ended groups are kept, because a job that follows a group needs the group's counts. */
    private static final Duration KEPT_AT_LEAST = Duration.ofDays(1);

    private static final int CHUNK = 1_000;

    private final @Nullable JobGroups groups;
    private final BooleanSupplier isResponsible;
    private final EngineClock clock;
    private final RandomGenerator random;
    private final DueSink nearDue;
    private final JobListeners listeners;
    private final Duration kept;
    private final AtomicBoolean isNamed = new AtomicBoolean();
    private volatile boolean isWatching;
    private boolean isAnyUnended;
    private long nextLookNanos;
    private long watchedUntilNanos;
    private long nextPurgeNanos;

    /**
     * @param groups {@code null} if the store has no groups
     * @param isResponsible tells whether this instance adds up the numbers for the whole cluster
     * @param kept how long finished jobs are kept
     */
    public GroupFold(
            @Nullable JobGroups groups,
            BooleanSupplier isResponsible,
            EngineClock clock,
            RandomGenerator random,
            DueSink nearDue,
            JobListeners listeners,
            Duration kept) {
        this.groups = groups;
        this.isResponsible = isResponsible;
        this.clock = clock;
        this.random = random;
        this.nearDue = nearDue;
        this.listeners = listeners;
        this.kept = kept.compareTo(KEPT_AT_LEAST) < 0 ? KEPT_AT_LEAST : kept;
        long now = clock.nanoTime();
        this.nextLookNanos = now;
        this.watchedUntilNanos = now;
        this.nextPurgeNanos = now + BETWEEN_PURGES.toNanos();
    }

    /** @return whether the caller must wake up the agent */
    public boolean named() {
        isNamed.set(true);
        return !isWatching;
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
        boolean responsible = isResponsible.getAsBoolean();
        // The deletion comes first, because it may free the memory that the sums need.
        boolean more = responsible && purge(groups);
        more |= groups.fold(clock.storeTime(), random.nextLong(), nearDue, this::tellEnd);
        isWatching = watches(groups, responsible);
        // A call that has just named a group may have read the old value of isWatching.
        boolean again = more || !isWatching && isNamed.get();
        return again ? 0 : (isWatching ? PAUSE : isAnyUnended ? LONG_PAUSE : RARELY).toNanos();
    }

    private void tellEnd(GroupStatus group) {
        listeners.tell(listener -> listener.groupEnded(group));
    }

    private boolean purge(JobGroups groups) {
        long now = clock.nanoTime();
        if (kept.compareTo(Retention.CENTURY) > 0 || now - nextPurgeNanos < 0) {
            return false;
        }
        nextPurgeNanos = now + BETWEEN_PURGES.toNanos();
        boolean more = groups.purge(clock.storeTime().minus(kept), CHUNK) == CHUNK;
        if (more) {
            nextPurgeNanos = now;
        }
        return more;
    }

    private boolean watches(JobGroups groups, boolean responsible) {
        long now = clock.nanoTime();
        if (isNamed.getAndSet(false)) {
            watchedUntilNanos = now + RARELY.toNanos();
        }
        if (!isWatching || now - nextLookNanos >= 0) {
            isAnyUnended = !groups.unended(1).isEmpty();
            nextLookNanos = now + LONG_PAUSE.toNanos();
        }
        return responsible && isAnyUnended || now - watchedUntilNanos < 0;
    }
}
