package io.delayjob;

import io.delayjob.job.GroupClosedException;
import io.delayjob.job.GroupEndedException;
import io.delayjob.job.GroupJob;
import io.delayjob.job.GroupRef;
import io.delayjob.job.GroupState;
import io.delayjob.job.Job;
import io.delayjob.job.JobExtras;
import io.delayjob.job.JobId;
import io.delayjob.job.JobIdTakenException;
import io.delayjob.job.NewJob;
import io.delayjob.store.JobGroups;
import io.delayjob.store.JobStore;
import io.delayjob.store.StoreCapability;
import java.time.Instant;
import java.util.List;
import java.util.random.RandomGenerator;
import org.jspecify.annotations.Nullable;

/** Finds and writes groups by their names. Thread-safe. */
final class GroupWriter {

    private final JobStore store;
    private final RandomGenerator random;
    private final Runnable named;

    GroupWriter(JobStore store, RandomGenerator random, Runnable named) {
        this.store = store;
        this.random = random;
        this.named = named;
    }

    String check(String name) {
        GroupRef.checkName(name);
        if (!keepsGroups()) {
            throw new IllegalArgumentException(
                    "Invalid group '%s': must be left out, because the job store (%s) does not %s; use a chain, or another store."
                            .formatted(name, store, StoreCapability.GROUPS.ability()));
        }
        return name;
    }

    private boolean keepsGroups() {
        return store.capabilities().has(StoreCapability.GROUPS);
    }

    JobGroups toList(int limit) {
        if (!keepsGroups()) {
            throw new IllegalArgumentException(
                    "Groups cannot be listed: the job store (%s) does not %s; use another store."
                            .formatted(store, StoreCapability.GROUPS.ability()));
        }
        if (limit < 1) {
            throw new IllegalArgumentException(
                    "Invalid limit %d of a list of groups: must be 1 or more, the maximum number of groups to return."
                            .formatted(limit));
        }
        return store.groups();
    }

    private GroupRef enter(String name, Instant now) {
        GroupRef group = store.groups().enter(propose(name, now), now);
        named.run();
        return group;
    }

    private GroupRef propose(String name, Instant now) {
        return GroupRef.create(check(name), now.toEpochMilli(), random);
    }

    /** The store writes the group together with the jobs, so refused jobs leave no group. */
    List<Draft> joining(List<Draft> drafts, Instant now) {
        String name = drafts.get(0).extras().groupName();
        if (name == null) {
            return drafts;
        }
        GroupRef group = propose(name, now);
        return drafts.stream().map(draft -> draft.in(group)).toList();
    }

    void written(NewJob job) {
        if (JobExtras.groupOf(job.extras()) != null) {
            named.run();
        }
    }

    void close(String name, Instant now) {
        checkClosed(name, store.groups().close(enter(name, now), null));
    }

    JobId close(String name, NewJob job) {
        GroupRef group = enter(name, job.scheduledAt());
        checkClosed(name, store.groups().close(group, waiting(job)));
        return job.id();
    }

    /** With a given id, a repeated call changes nothing. */
    JobId closeOnce(String name, NewJob job) {
        // A refused call must not write the group.
        if (isWritten(name, job)) {
            return job.id();
        }
        GroupRef group = enter(name, job.scheduledAt());
        if (!isWaiting(group, job)) {
            GroupState before = store.groups().close(group, waiting(job));
            // Another call with the same job may have been faster.
            if (before == GroupState.OPEN || !isWaiting(group, job) && !isWritten(name, job)) {
                checkClosed(name, before);
            }
        }
        return job.id();
    }

    private boolean isWaiting(GroupRef group, NewJob job) {
        GroupJob waiting = store.groups().whenAllEnded(group);
        if (waiting == null || !waiting.id().equals(job.id())) {
            return false;
        }
        SameJob.check(job, waiting.toNewJob(job.scheduledAt(), job.token()).toJob());
        return true;
    }

    private boolean isWritten(String group, NewJob job) {
        Job existing = store.find(job.id()).orElse(null);
        if (existing == null) {
            return false;
        }
        if (!group.equals(existing.extras().followsGroup())) {
            throw new JobIdTakenException(job.id(), "group");
        }
        SameJob.check(job, existing);
        return true;
    }

    private static void checkClosed(String name, @Nullable GroupState before) {
        if (before == GroupState.CLOSED) {
            throw new GroupClosedException(name);
        }
        checkOpen(name, before);
    }

    private static void checkOpen(String name, @Nullable GroupState before) {
        if (before == null || !before.takesMembers()) {
            throw new GroupEndedException(name);
        }
    }

    JobId whenAnyFails(String name, NewJob job) {
        GroupRef group = enter(name, job.scheduledAt());
        checkOpen(name, store.groups().whenAnyFails(group, waiting(job)));
        return job.id();
    }

    /** With a given id, a repeated call changes nothing once the job has a row. */
    JobId whenAnyFailsOnce(String name, NewJob job) {
        return isWritten(name, job) ? job.id() : whenAnyFails(name, job);
    }

    private static GroupJob waiting(NewJob job) {
        return new GroupJob(job.id(), job.partition(), job.task(), job.retry());
    }
}
