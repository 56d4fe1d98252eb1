package io.delayjob.memory;

import io.delayjob.job.DueRow;
import io.delayjob.job.GroupCounts;
import io.delayjob.job.GroupEndedException;
import io.delayjob.job.GroupJob;
import io.delayjob.job.GroupRef;
import io.delayjob.job.GroupState;
import io.delayjob.job.GroupStatus;
import io.delayjob.job.Job;
import io.delayjob.job.JobExtras;
import io.delayjob.job.JobId;
import io.delayjob.job.JobState;
import io.delayjob.job.NewJob;
import io.delayjob.store.DueSink;
import io.delayjob.store.JobGroups;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.UUID;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/**
 * Stores the groups. The numbers of a group change together with its members. The lock of the {@link MemoryJobStore}
 * guards this object.
 */
final class MemoryGroups implements JobGroups {

    private static final class Group {
        private final GroupRef ref;
        private final Instant createdAt;
        private GroupState state = GroupState.OPEN;
        private GroupCounts counts = GroupCounts.NONE;
        private @Nullable Instant endedAt;
        private @Nullable GroupJob whenAllEnded;
        private @Nullable GroupJob whenAnyFails;
        private boolean isFailureWritten;

        private Group(GroupRef ref, Instant createdAt) {
            this.ref = ref;
            this.createdAt = createdAt;
        }

        private GroupStatus status() {
            return new GroupStatus(ref, state, counts, createdAt, endedAt);
        }
    }

    private final Object lock;
    private final MemoryJobTable unfinished;
    private final MemoryHistory history;
    private final Map<UUID, Group> groups = new LinkedHashMap<>();

    MemoryGroups(Object lock, MemoryJobTable unfinished, MemoryHistory history) {
        this.lock = lock;
        this.unfinished = unfinished;
        this.history = history;
    }

    void check(NewJob job) {
        GroupRef proposed = JobExtras.groupOf(job.extras());
        Group existing = proposed == null ? null : named(proposed.name());
        if (existing != null && !existing.state.takesMembers()) {
            throw new GroupEndedException(existing.ref.name());
        }
    }

    /** If the group exists already, the job gets the id of the stored group. */
    NewJob entered(NewJob job) {
        GroupRef proposed = JobExtras.groupOf(job.extras());
        return proposed == null ? job : job.in(enter(proposed, job.scheduledAt()));
    }

    boolean takes(GroupRef group) {
        Group found = groups.get(group.id());
        return found != null && found.state.takesMembers();
    }

    void begin(Job job) {
        count(JobExtras.groupOf(job.task().extras()), GroupCounts.BEGIN);
    }

    void end(Job before, JobState state) {
        GroupRef group = JobExtras.groupOf(before.task().extras());
        if (group != null) {
            count(group, GroupCounts.endAs(state));
        }
    }

    private void count(@Nullable GroupRef group, GroupCounts change) {
        Group found = group == null ? null : groups.get(group.id());
        if (found != null) {
            found.counts = found.counts.plus(change);
        }
    }

    @Override
    public GroupRef enter(GroupRef proposed, Instant now) {
        synchronized (lock) {
            Group existing = named(proposed.name());
            if (existing != null) {
                return existing.ref;
            }
            groups.put(proposed.id(), new Group(proposed, now));
            return proposed;
        }
    }

    private @Nullable Group named(String name) {
        return groups.values().stream()
                .filter(group -> group.ref.name().equals(name))
                .findFirst()
                .orElse(null);
    }

    @Override
    public Optional<GroupStatus> find(String name) {
        synchronized (lock) {
            return Optional.ofNullable(named(name)).map(Group::status);
        }
    }

    @Override
    public List<GroupStatus> unended(int limit) {
        synchronized (lock) {
            return groups.values().stream()
                    .map(Group::status)
                    .filter(group -> group.endedAt() == null)
                    .sorted(Comparator.comparing(GroupStatus::createdAt))
                    .limit(limit)
                    .toList();
        }
    }

    @Override
    public List<GroupStatus> ended(int limit) {
        synchronized (lock) {
            return groups.values().stream()
                    .map(Group::status)
                    .filter(group -> group.endedAt() != null)
                    .sorted(Comparator.comparing(GroupStatus::endedAt, Comparator.reverseOrder()))
                    .limit(limit)
                    .toList();
        }
    }

    @Override
    public @Nullable GroupState close(GroupRef group, @Nullable GroupJob whenAllEnded) {
        synchronized (lock) {
            Group found = groups.get(group.id());
            GroupState before = found == null ? null : found.state;
            if (found != null && before == GroupState.OPEN) {
                found.state = GroupState.CLOSED;
                found.whenAllEnded = whenAllEnded;
            }
            return before;
        }
    }

    @Override
    public @Nullable GroupJob whenAllEnded(GroupRef group) {
        synchronized (lock) {
            Group found = groups.get(group.id());
            return found == null ? null : found.whenAllEnded;
        }
    }

    @Override
    public @Nullable GroupState whenAnyFails(GroupRef group, GroupJob job) {
        synchronized (lock) {
            Group found = groups.get(group.id());
            if (found != null && found.state.takesMembers() && !found.isFailureWritten) {
                found.whenAnyFails = job;
            }
            return found == null ? null : found.state;
        }
    }

    @Override
    public @Nullable GroupState cancel(GroupRef group) {
        synchronized (lock) {
            Group found = groups.get(group.id());
            GroupState before = found == null ? null : found.state;
            if (found != null && found.state.takesMembers()) {
                found.state = GroupState.CANCELLED;
                found.whenAllEnded = null;
                found.whenAnyFails = null;
            }
            return before;
        }
    }

    @Override
    public boolean fold(Instant now, long freshToken, DueSink committed, Consumer<GroupStatus> ended) {
        List<DueRow> written = new ArrayList<>();
        List<GroupStatus> over = new ArrayList<>();
        DueSink asOfChange;
        synchronized (lock) {
            asOfChange = committed.asOfNow();
            for (Group group : groups.values()) {
                if (group.endedAt == null) {
                    fold(group, now, freshToken, written);
                    if (group.endedAt != null) {
                        over.add(group.status());
                    }
                }
            }
        }
        if (!written.isEmpty()) {
            asOfChange.accept(written);
        }
        over.forEach(ended);
        return false;
    }

    private void fold(Group group, Instant now, long freshToken, List<DueRow> written) {
        if (group.whenAnyFails != null && group.counts.failed() > 0) {
            write(group.whenAnyFails.toNewJob(now, freshToken), written);
            group.whenAnyFails = null;
            group.isFailureWritten = true;
        }
        if (group.state == GroupState.OPEN || !group.counts.isComplete()) {
            return;
        }
        if (group.whenAllEnded != null) {
            write(group.whenAllEnded.toNewJob(now, freshToken), written);
            group.whenAllEnded = null;
        }
        if (group.state == GroupState.CLOSED) {
            group.state = GroupState.ENDED;
        }
        group.endedAt = now;
    }

    private void write(NewJob job, List<DueRow> written) {
        JobId id = job.id();
        if (unfinished.find(id) == null && history.find(id) == null) {
            unfinished.save(job.toJob());
            written.add(job.toDueRow());
        }
    }

    @Override
    public int purge(Instant before, int limit) {
        synchronized (lock) {
            List<UUID> old = groups.values().stream()
                    .filter(group -> isOver(group, before))
                    .limit(limit)
                    .map(group -> group.ref.id())
                    .toList();
            old.forEach(groups::remove);
            return old.size();
        }
    }

    private static boolean isUnused(Group group) {
        return group.state == GroupState.CANCELLED
                || (group.state == GroupState.OPEN && group.counts.equals(GroupCounts.NONE));
    }

    private static boolean isOver(Group group, Instant before) {
        return group.endedAt == null
                ? isUnused(group) && group.createdAt.isBefore(before)
                : group.endedAt.isBefore(before);
    }
}
