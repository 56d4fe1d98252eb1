package io.delayjob.redis;

import io.delayjob.job.GroupCounts;
import io.delayjob.job.GroupEndedException;
import io.delayjob.job.GroupRef;
import io.delayjob.job.GroupState;
import io.delayjob.job.JobExtras;
import io.delayjob.job.NewJob;
import java.time.Instant;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.UUID;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;

/**
 * Decides whether groups accept members, and adds the members. An instance that ends a group first seals it in every
 * slot. To add members to a sealed group, a call first changes the group's row, and then removes the seal. Because the
 * row has changed, the instance that set the seal does not end the group. So no call waits for that instance, which may
 * have died. Thread-safe.
 */
final class GroupGate {

    private final GroupRows rows;
    private final GroupNumbers numbers;

    GroupGate(GroupRows rows, GroupNumbers numbers) {
        this.rows = rows;
        this.numbers = numbers;
    }

    /** The groups that jobs join, each with the slots of these jobs. Not thread-safe. */
    static final class Members {
        private final Map<GroupRef, Set<Integer>> slots = new HashMap<>();

        void add(@Nullable GroupRef group, int slot) {
            if (group != null) {
                slots.computeIfAbsent(group, first -> new HashSet<>()).add(slot);
            }
        }

        boolean isEmpty() {
            return slots.isEmpty();
        }
    }

    /** Replaces each proposed group by the existing group of the same name, if there is one. */
    List<NewJob> joined(List<NewJob> jobs) {
        Map<String, GroupRef> groups = new LinkedHashMap<>();
        for (NewJob job : jobs) {
            GroupRef proposed = JobExtras.groupOf(job.extras());
            if (proposed != null) {
                groups.putIfAbsent(proposed.name(), proposed);
            }
        }
        if (groups.isEmpty()) {
            return jobs;
        }
        groups.putAll(rows.find(List.copyOf(groups.keySet())));
        return jobs.stream().map(job -> joined(job, groups)).toList();
    }

    private static NewJob joined(NewJob job, Map<String, GroupRef> groups) {
        GroupRef proposed = JobExtras.groupOf(job.extras());
        GroupRef group = proposed == null ? null : groups.get(proposed.name());
        return group == null || group.equals(proposed) ? job : job.in(group);
    }

    /**
     * Returns each group in {@code members} that does not exist yet. If a group was deleted meanwhile, the method frees
     * the name of that group and returns {@code null}.
     *
     * @param proposed the groups that this call wants to create
     * @throws GroupEndedException if a group takes no members
     */
    @Nullable
    List<GroupRef> newAmong(Members members, Set<GroupRef> proposed) {
        Map<UUID, GroupRow> existing =
                rows.read(members.slots.keySet().stream().map(GroupRef::id).toList());
        for (GroupRow group : existing.values()) {
            if (!group.state().takesMembers()) {
                throw new GroupEndedException(group.group().name());
            }
        }
        List<GroupRef> missing = members.slots.keySet().stream()
                .filter(group -> !existing.containsKey(group.id()))
                .toList();
        List<GroupRef> deleted =
                missing.stream().filter(group -> !proposed.contains(group)).toList();
        // The slots may still have numbers and seals of a deleted group, so its id is not used again.
        deleted.forEach(rows::free);
        return deleted.isEmpty() ? missing : null;
    }

    /** Creates the rows of the groups. Returns {@code false} if another group has taken one of the names meanwhile. */
    boolean begin(List<GroupRef> groups, Instant now, Set<GroupRef> begun) {
        boolean areWritten = true;
        for (GroupRef group : groups) {
            if (rows.create(GroupRow.create(group, now))) {
                begun.add(group);
            } else {
                areWritten = false;
            }
        }
        return areWritten;
    }

    Set<UUID> taking(Members members) {
        List<UUID> groups = members.slots.keySet().stream().map(GroupRef::id).toList();
        return rows.read(groups).values().stream()
                .filter(group -> group.state().takesMembers())
                .map(GroupRow::id)
                .collect(Collectors.toSet());
    }

    /** Removes seals. If a group takes no new members, its seal stays. */
    void open(Members members) {
        members.slots.forEach((group, slots) -> slots.forEach(slot -> open(group.id(), slot)));
    }

    private void open(UUID group, int slot) {
        String seal = numbers.sealOf(group, slot);
        // The row is read after the seal, so it already shows the attempt that has set the seal.
        GroupRow row = seal == null ? null : rows.read(group);
        if (seal == null || row == null || !row.state().takesMembers()) {
            return;
        }
        if (!row.isClosing() || rows.change(row, closing -> closing.closing(false)) != null) {
            numbers.unseal(group, slot, seal);
        }
    }

    List<GroupRow> sealed(List<GroupRow> groups) {
        List<GroupRow> closing = rows.change(groups, group -> group.closing(true));
        numbers.seal(closing);
        return closing;
    }

    void shut(GroupRow cancelled) {
        if (cancelled.endedAt() == null) {
            numbers.seal(List.of(cancelled));
        }
        if (cancelled.failure() == GroupRow.Failure.SEEN) {
            numbers.refuseJobOfFailure(cancelled);
        }
    }

    /** Deletes each of these groups that is open and unused, unless a job waits for a failure of the group. */
    void deleteUnused(Set<GroupRef> groups) {
        if (!groups.isEmpty()) {
            List<UUID> ids = groups.stream().map(GroupRef::id).toList();
            deleteUnused(rows.read(ids).values().stream()
                    .filter(group -> group.state() == GroupState.OPEN && group.whenAnyFails() == null)
                    .toList());
        }
    }

    record Looked(List<GroupRow> deleted, List<GroupRow> used) {}

    /** Deletes groups that have no members or were cancelled. A group that has changed meanwhile is in neither list. */
    Looked deleteUnused(List<GroupRow> groups) {
        List<GroupRow> used = new ArrayList<>();
        List<GroupRow> sealed = sealed(unused(groups, used));
        List<GroupRow> deleted = delete(unused(sealed, used));
        return new Looked(deleted, rows.used(used));
    }

    private List<GroupRow> unused(List<GroupRow> groups, List<GroupRow> used) {
        Map<UUID, GroupCounts> counts =
                numbers.sums(groups.stream().map(GroupRow::id).toList());
        List<GroupRow> unused = new ArrayList<>();
        for (GroupRow group : groups) {
            boolean isUnused = group.state() == GroupState.CANCELLED
                    || group.state() == GroupState.OPEN && GroupCounts.NONE.equals(counts.get(group.id()));
            (isUnused ? unused : used).add(group);
        }
        return unused;
    }

    List<GroupRow> delete(List<GroupRow> groups) {
        List<GroupRow> deleted = rows.delete(groups);
        deleteRest(deleted.stream().map(GroupRow::id).toList());
        return deleted;
    }

    void deleteRest(List<UUID> groups) {
        numbers.delete(groups);
        rows.forget(groups);
    }
}
