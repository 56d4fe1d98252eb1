package io.delayjob.jdbc;

import io.delayjob.internal.jdbc.dialect.GroupSql;
import io.delayjob.job.GroupCounts;
import io.delayjob.job.GroupEndedException;
import io.delayjob.job.GroupRef;
import io.delayjob.job.GroupState;
import io.delayjob.job.JobExtras;
import io.delayjob.job.JobId;
import io.delayjob.job.NewJob;
import java.time.Instant;
import java.util.Collection;
import java.util.Comparator;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.Set;
import java.util.TreeMap;
import java.util.UUID;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;

/**
 * Adds members to groups within the current transaction. The transaction keeps a shared lock of the group's row, so the
 * group cannot end before the new members are counted. Thread-safe.
 */
final class GroupMembers {

    /** @param begun ids of the groups that the current transaction has written for these jobs */
    record Entered(List<NewJob> jobs, Set<UUID> begun) {}

    private final Database database;
    private final GroupNames names;
    private final GroupCounter counter;
    private final Sql findStatus;
    private final Sql share;
    private final Sql setExtras;

    GroupMembers(Database database) {
        GroupSql sql = database.dialect().groups();
        this.database = database;
        this.names = new GroupNames(database);
        this.counter = new GroupCounter(database);
        this.findStatus = database.sql(sql.findStatus());
        this.share = database.sql(sql.share());
        this.setExtras = database.sql(sql.setExtras());
    }

    Entered entered(List<NewJob> jobs) {
        Map<UUID, GroupRef> proposed = groupsOf(jobs);
        if (proposed.isEmpty()) {
            return new Entered(jobs, Set.of());
        }
        Map<UUID, GroupRef> entered = new HashMap<>();
        Set<UUID> begun = new HashSet<>();
        Instant now = jobs.get(0).scheduledAt();
        proposed.values().stream().sorted(Comparator.comparing(GroupRef::name)).forEach(group -> {
            GroupNames.Entered found = names.enter(group, now);
            entered.put(group.id(), found.group());
            if (found.isNew()) {
                begun.add(group.id());
            }
        });
        GroupCounter.GroupReader reader = new GroupCounter.GroupReader();
        return new Entered(
                jobs.stream().map(job -> in(entered, reader.of(job), job)).toList(), begun);
    }

    private static NewJob in(Map<UUID, GroupRef> entered, @Nullable GroupRef proposed, NewJob job) {
        GroupRef group = proposed == null ? null : entered.get(proposed.id());
        return group == null || group.equals(proposed) ? job : job.in(group);
    }

    /** {@code null} if all groups accept further members. The groups then stay locked until the transaction ends. */
    @Nullable
    GroupEndedException refusal(Collection<NewJob> jobs) {
        return groupsOf(jobs).values().stream()
                .filter(group -> !takes(group))
                .findFirst()
                .map(group -> new GroupEndedException(group.name()))
                .orElse(null);
    }

    Optional<GroupEndedException> foreseenRefusal(Collection<NewJob> jobs) {
        return groupsOf(jobs).values().stream()
                .map(GroupRef::name)
                .filter(this::isOver)
                .findFirst()
                .map(GroupEndedException::new);
    }

    private boolean isOver(String name) {
        return database.query(findStatus, Parameters.none().set("name", name), StoredGroup::statusOf).stream()
                .anyMatch(group -> !group.state().takesMembers());
    }

    static boolean areAny(Collection<NewJob> jobs) {
        GroupCounter.GroupReader groups = new GroupCounter.GroupReader();
        return jobs.stream().anyMatch(job -> groups.of(job) != null);
    }

    /** Returns the groups in sorted order, because groups must always be locked in the same order. */
    private static Map<UUID, GroupRef> groupsOf(Collection<NewJob> jobs) {
        Map<UUID, GroupRef> groups = new TreeMap<>();
        GroupCounter.GroupReader reader = new GroupCounter.GroupReader();
        for (NewJob job : jobs) {
            GroupRef group = reader.of(job);
            if (group != null) {
                groups.put(group.id(), group);
            }
        }
        return groups;
    }

    private boolean takes(GroupRef group) {
        return database
                .query(share, Parameters.none().set("id", group.id()), row -> StoredGroup.stateOf(row.getInt(1)))
                .stream()
                .anyMatch(GroupState::takesMembers);
    }

    void begin(Collection<NewJob> jobs, Set<JobId> created) {
        counter.begin(created(jobs, created));
    }

    private static List<NewJob> created(Collection<NewJob> jobs, Set<JobId> created) {
        return jobs.stream().filter(job -> created.contains(job.id())).toList();
    }

    void forgetEmpty(Entered entered, Set<JobId> created) {
        Set<UUID> empty = new HashSet<>(entered.begun());
        empty.removeAll(groupsOf(created(entered.jobs(), created)).keySet());
        empty.forEach(names::delete);
    }

    /**
     * If the group of a retried job has ended, the job leaves the group.
     *
     * @param extras the extras of each job; {@code null} for a job without extras
     */
    void revived(Map<JobId, @Nullable String> extras) {
        Map<UUID, GroupRef> groups = new TreeMap<>();
        extras.values().stream()
                .map(JobExtras::groupOf)
                .filter(Objects::nonNull)
                .forEach(group -> groups.put(group.id(), group));
        if (groups.isEmpty()) {
            return;
        }
        Set<UUID> taking =
                groups.values().stream().filter(this::takes).map(GroupRef::id).collect(Collectors.toSet());
        GroupCounter.Counted counted = new GroupCounter.Counted();
        extras.forEach((id, text) -> {
            GroupRef group = JobExtras.groupOf(text);
            if (group != null && taking.contains(group.id())) {
                counted.add(group, GroupCounts.BEGIN);
            } else if (group != null) {
                String alone = JobExtras.parse(text).withGroup(null).toText();
                database.update(
                        setExtras, Parameters.none().set("jobId", id.value()).set("extras", alone));
            }
        });
        counter.write(counted);
    }
}
