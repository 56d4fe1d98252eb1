package io.delayjob.redis;

import io.delayjob.job.GroupCounts;
import io.delayjob.job.GroupJob;
import io.delayjob.job.GroupRef;
import io.delayjob.job.GroupState;
import io.delayjob.job.GroupStatus;
import io.delayjob.store.DueSink;
import io.delayjob.store.JobGroups;
import io.delayjob.store.StoreException;
import java.time.Instant;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.UUID;
import java.util.function.Predicate;
import java.util.function.UnaryOperator;
import org.jspecify.annotations.Nullable;

/** Groups of jobs: their rows, and what people read of them. {@link GroupFolder} adds up their numbers. Thread-safe. */
final class RedisGroups implements JobGroups {

    /** Number of groups that one read of old groups takes. */
    private static final int PAGE = 100;

    private final GroupRows rows;
    private final GroupNumbers numbers;
    private final GroupFolder folder;

    RedisGroups(GroupRows rows, GroupNumbers numbers, GroupFolder folder) {
        this.rows = rows;
        this.numbers = numbers;
        this.folder = folder;
    }

    @Override
    public GroupRef enter(GroupRef proposed, Instant now) {
        for (int tries = 0; tries < JudgedChanges.MAX_TRIES; tries++) {
            UUID id = rows.find(proposed.name());
            if (id != null) {
                // An earlier call, whose writes were not confirmed, may have named the group.
                rows.confirmNames();
                return new GroupRef(id, proposed.name());
            }
            if (rows.create(GroupRow.create(proposed, now))) {
                return proposed;
            }
        }
        throw changedTooOften(proposed);
    }

    @Override
    public Optional<GroupStatus> find(String name) {
        UUID id = rows.find(name);
        return id == null ? Optional.empty() : statuses(List.of(id)).stream().findFirst();
    }

    @Override
    public List<GroupStatus> unended(int limit) {
        return statuses(rows.unended(limit));
    }

    @Override
    public List<GroupStatus> ended(int limit) {
        return statuses(rows.ended(limit));
    }

    private List<GroupStatus> statuses(List<UUID> ids) {
        Map<UUID, GroupRow> groups = rows.read(ids);
        Map<UUID, List<GroupCounts>> counts = numbers.read(List.copyOf(groups.keySet()));
        return groups.values().stream()
                .map(group -> group.status(GroupNumbers.sum(counts.getOrDefault(group.id(), List.of()))))
                .toList();
    }

    @Override
    public @Nullable GroupState close(GroupRef group, @Nullable GroupJob whenAllEnded) {
        return stateOf(change(group, state -> state == GroupState.OPEN, stored -> stored.closed(whenAllEnded)));
    }

    @Override
    public @Nullable GroupJob whenAllEnded(GroupRef group) {
        GroupRow stored = rows.read(group.id());
        return stored == null ? null : stored.whenAllEnded();
    }

    @Override
    public @Nullable GroupState whenAnyFails(GroupRef group, GroupJob job) {
        return stateOf(change(group, GroupState::takesMembers, stored -> stored.waitingForFailure(job)));
    }

    @Override
    public @Nullable GroupState cancel(GroupRef group) {
        GroupRow before = change(group, GroupState::takesMembers, GroupRow::cancelled);
        GroupRow cancelled = before == null ? null : rows.read(group.id());
        if (cancelled != null && cancelled.state() == GroupState.CANCELLED && cancelled.endedAt() == null) {
            // A call that is about to add a member is refused from here on.
            folder.seal(cancelled);
        }
        return stateOf(before);
    }

    private static @Nullable GroupState stateOf(@Nullable GroupRow group) {
        return group == null ? null : group.state();
    }

    /** Returns the row before the change; {@code null} if the group does not exist. */
    private @Nullable GroupRow change(GroupRef group, Predicate<GroupState> which, UnaryOperator<GroupRow> change) {
        for (int tries = 0; tries < JudgedChanges.MAX_TRIES; tries++) {
            GroupRow before = rows.read(group.id());
            if (before == null || !which.test(before.state()) || rows.change(before, change.apply(before)) != null) {
                return before;
            }
        }
        throw changedTooOften(group);
    }

    private static StoreException changedTooOften(GroupRef group) {
        return StoreException.unavailable(
                "Other calls changed the group '%s' %d times in a row: the same call may succeed later."
                        .formatted(group.name(), JudgedChanges.MAX_TRIES));
    }

    @Override
    public boolean fold(Instant now, long freshToken, DueSink committed) {
        return folder.fold(now, freshToken, committed);
    }

    @Override
    public int purge(Instant before, int limit) {
        int purged = 0;
        for (GroupRow ended : rows.read(rows.endedBefore(before, limit)).values()) {
            purged += folder.delete(ended) ? 1 : 0;
        }
        return purged + purgeUnused(before, limit - purged);
    }

    /** Passes over groups that wait for their members, however old they are. */
    private int purgeUnused(Instant before, int limit) {
        int purged = 0;
        int passedOver = 0;
        List<UUID> page = List.of();
        while (purged < limit && !(page = rows.unendedBefore(before, passedOver, PAGE)).isEmpty()) {
            int deleted = 0;
            for (GroupRow group : rows.read(page).values()) {
                if (purged + deleted < limit && isUnused(group) && folder.deleteUnused(group)) {
                    deleted++;
                }
            }
            purged += deleted;
            passedOver += page.size() - deleted;
        }
        return purged;
    }

    private boolean isUnused(GroupRow group) {
        return group.state() == GroupState.CANCELLED
                || group.state() == GroupState.OPEN && numbers.sum(group.id()).equals(GroupCounts.NONE);
    }
}
