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
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.UUID;
import java.util.function.Consumer;
import java.util.function.Function;
import java.util.function.Predicate;
import java.util.function.UnaryOperator;
import org.jspecify.annotations.Nullable;

/**
 * Writes the rows of groups, and reads groups to show them to people. {@link GroupFolder} adds up the numbers of
 * groups. Thread-safe.
 */
final class RedisGroups implements JobGroups {

    private final GroupRows rows;
    private final GroupNumbers numbers;
    private final GroupGate gate;
    private final GroupFolder folder;

    RedisGroups(GroupRows rows, GroupNumbers numbers, GroupGate gate, GroupFolder folder) {
        this.rows = rows;
        this.numbers = numbers;
        this.gate = gate;
        this.folder = folder;
    }

    @Override
    public GroupRef enter(GroupRef proposed, Instant now) {
        for (int tries = 0; tries < JudgedChanges.MAX_TRIES; tries++) {
            UUID id = rows.find(proposed.name());
            if (id != null) {
                // An earlier call without confirmed writes may have named the group.
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
        return list(limit, rows::unended);
    }

    @Override
    public List<GroupStatus> ended(int limit) {
        return list(limit, rows::ended);
    }

    private interface Pages {

        List<UUID> read(long offset, int limit);
    }

    /** The instance that adds up the groups reports unreadable groups, so this method leaves out unreadable groups. */
    private List<GroupStatus> list(int limit, Pages pages) {
        List<GroupStatus> found = new ArrayList<>();
        Halves halves = new Halves();
        long offset = 0;
        int wanted;
        List<UUID> page;
        do {
            wanted = limit - found.size();
            page = pages.read(offset, wanted);
            halves.run(page, part -> found.addAll(statuses(part)));
            offset += page.size();
        } while (page.size() == wanted && found.size() < limit);
        return found;
    }

    private List<GroupStatus> statuses(List<UUID> ids) {
        Map<UUID, GroupRow> groups = rows.read(ids);
        List<UUID> unended = groups.values().stream()
                .filter(group -> group.counts() == null)
                .map(GroupRow::id)
                .toList();
        Map<UUID, GroupCounts> counts = numbers.sums(unended);
        return groups.values().stream()
                .map(group -> group.status(counts.getOrDefault(group.id(), GroupCounts.NONE)))
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
        if (cancelled != null && cancelled.state() == GroupState.CANCELLED) {
            // Other calls and other instances may be about to add a member, or to write a job.
            gate.shut(cancelled);
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
            if (before == null || !which.test(before.state()) || rows.change(before, change) != null) {
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
    public boolean fold(Instant now, long freshToken, DueSink committed, Consumer<GroupStatus> ended) {
        return folder.fold(now, freshToken, committed, ended);
    }

    @Override
    public int purge(Instant before, int limit) {
        Purge purge = new Purge(limit);
        purge.run(
                (offset, count) -> rows.endedBefore(before, offset, count),
                ended -> new GroupGate.Looked(
                        // A group is kept until the job that follows it is written.
                        gate.delete(ended.stream()
                                .filter(group -> group.whenAllEnded() == null)
                                .toList()),
                        List.of()));
        purge.run((offset, count) -> rows.unusedBefore(before, offset, count), gate::deleteUnused);
        purge.failures.end();
        return purge.deleted;
    }

    /** Deletes groups page by page. A later page begins after the groups that stay in the list. Not thread-safe. */
    private final class Purge {

        private final int limit;
        private final Halves failures = new Halves();
        private int deleted;
        private int left;

        Purge(int limit) {
            this.limit = limit;
        }

        void run(Pages pages, Function<List<GroupRow>, GroupGate.Looked> look) {
            long staying = 0;
            List<UUID> page;
            while (deleted < limit && !(page = pages.read(staying, limit - deleted)).isEmpty()) {
                left = 0;
                failures.run(page, part -> look(part, look));
                staying += page.size() - left;
            }
        }

        private void look(List<UUID> part, Function<List<GroupRow>, GroupGate.Looked> look) {
            Map<UUID, GroupRow> groups = rows.read(part);
            gate.deleteRest(
                    part.stream().filter(group -> !groups.containsKey(group)).toList());
            GroupGate.Looked looked = look.apply(List.copyOf(groups.values()));
            deleted += looked.deleted().size();
            left += part.size()
                    - groups.size()
                    + looked.deleted().size()
                    + looked.used().size();
        }
    }
}
