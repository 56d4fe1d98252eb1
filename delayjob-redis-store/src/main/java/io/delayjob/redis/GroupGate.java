package io.delayjob.redis;

import io.delayjob.job.GroupEndedException;
import io.delayjob.job.GroupRef;
import io.delayjob.job.JobExtras;
import io.delayjob.job.NewJob;
import java.time.Instant;
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
 * Decides whether groups take members, and lets them in. An instance that lets a group end seals it in every slot first.
 * If members are to join meanwhile, the group does not end: their call changes the row of the group, which the end
 * needs unchanged, and then removes the seal. So no call waits for an instance that may have died. Thread-safe.
 */
final class GroupGate {

    private final GroupRows rows;
    private final GroupNumbers numbers;

    GroupGate(GroupRows rows, GroupNumbers numbers) {
        this.rows = rows;
        this.numbers = numbers;
    }

    /** Members to add: the slots of each group. Not thread-safe. */
    static final class Members {
        private final Map<GroupRef, Set<Integer>> slots = new HashMap<>();

        /** @param group the group that a job joins in this slot; {@code null} for none */
        void add(@Nullable GroupRef group, int slot) {
            if (group != null) {
                slots.computeIfAbsent(group, first -> new HashSet<>()).add(slot);
            }
        }

        boolean isEmpty() {
            return slots.isEmpty();
        }
    }

    /** Returns the jobs as members of the groups that have these names. If there is none, the proposed group stays. */
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
     * Returns which of these groups do not exist yet.
     *
     * @throws GroupEndedException if a group takes no members
     */
    List<GroupRef> newAmong(Members members) {
        Map<UUID, GroupRow> existing =
                rows.read(members.slots.keySet().stream().map(GroupRef::id).toList());
        for (GroupRow group : existing.values()) {
            if (!group.state().takesMembers()) {
                throw new GroupEndedException(group.group().name());
            }
        }
        return members.slots.keySet().stream()
                .filter(group -> !existing.containsKey(group.id()))
                .toList();
    }

    /** Writes new groups, and returns whether none of their names was taken meanwhile. */
    boolean begin(List<GroupRef> groups, Instant now) {
        boolean areWritten = true;
        for (GroupRef group : groups) {
            areWritten &= rows.create(GroupRow.create(group, now));
        }
        return areWritten;
    }

    /** Returns the groups that take members. */
    Set<UUID> taking(Members members) {
        List<UUID> groups = members.slots.keySet().stream().map(GroupRef::id).toList();
        return rows.read(groups).values().stream()
                .filter(group -> group.state().takesMembers())
                .map(GroupRow::id)
                .collect(Collectors.toSet());
    }

    /** Removes seals in the way of these members, unless their groups have ended. */
    void open(Members members) {
        members.slots.forEach((group, slots) -> slots.forEach(slot -> open(group.id(), slot)));
    }

    private void open(UUID group, int slot) {
        String seal = numbers.sealOf(group, slot);
        // The row is read after the seal, so it shows the attempt to end the group that this seal belongs to.
        GroupRow row = seal == null ? null : rows.read(group);
        if (seal == null || row == null || !row.state().takesMembers()) {
            return;
        }
        if (!row.isClosing() || rows.change(row, row.closing(false)) != null) {
            numbers.unseal(group, slot, seal);
        }
    }
}
