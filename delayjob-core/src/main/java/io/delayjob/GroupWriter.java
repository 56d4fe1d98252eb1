package io.delayjob;

import io.delayjob.job.GroupEndedException;
import io.delayjob.job.GroupJob;
import io.delayjob.job.GroupRef;
import io.delayjob.job.GroupState;
import io.delayjob.job.JobId;
import io.delayjob.job.NewJob;
import io.delayjob.store.JobStore;
import io.delayjob.store.StoreCapability;
import java.time.Instant;
import java.util.List;
import java.util.random.RandomGenerator;
import org.jspecify.annotations.Nullable;

/** Finds or writes the groups that calls name, and changes them. Thread-safe. */
final class GroupWriter {

    private final JobStore store;
    private final RandomGenerator random;
    private final Runnable named;

    /** @param named runs after each call that has named a group */
    GroupWriter(JobStore store, RandomGenerator random, Runnable named) {
        this.store = store;
        this.random = random;
        this.named = named;
    }

    /** Returns the name of a group, unless this store keeps none. */
    String check(String name) {
        GroupRef.checkName(name);
        if (!store.capabilities().has(StoreCapability.GROUPS)) {
            throw new IllegalArgumentException(
                    "Invalid group '%s': must be left out, because the job store (%s) does not %s; use a chain, or another store."
                            .formatted(name, store, StoreCapability.GROUPS.ability()));
        }
        return name;
    }

    /** Returns the group of this name, which is written if it does not exist. */
    GroupRef enter(String name, Instant now) {
        GroupRef group = store.groups().enter(GroupRef.create(check(name), now.toEpochMilli(), random), now);
        named.run();
        return group;
    }

    /**
     * Returns the drafts with the identities of the groups whose members they are. All have the same group, or none.
     */
    List<Draft> joined(List<Draft> drafts, Instant now) {
        String name = drafts.get(0).extras().groupName();
        if (name == null) {
            return drafts;
        }
        GroupRef group = enter(name, now);
        return drafts.stream().map(draft -> draft.in(group)).toList();
    }

    /** Closes a group. */
    void close(String name, Instant now) {
        checkClosed(name, store.groups().close(enter(name, now), null));
    }

    /**
     * Closes a group.
     *
     * @param job the job that is written once all members have ended
     */
    JobId close(String name, NewJob job) {
        GroupRef group = enter(name, job.scheduledAt());
        checkClosed(name, store.groups().close(group, waiting(job)));
        return job.id();
    }

    private static void checkClosed(String name, @Nullable GroupState before) {
        if (before == GroupState.CLOSED) {
            throw new IllegalStateException(
                    "Group '%s' is closed already, so the job that follows the group cannot be changed. Close a group only once. For another job, cancel the group and use a new name."
                            .formatted(name));
        }
        checkOpen(name, before);
    }

    private static void checkOpen(String name, @Nullable GroupState before) {
        if (before == null || !before.takesMembers()) {
            throw new GroupEndedException(name);
        }
    }

    /** @param job the job that is written as soon as a member has failed */
    JobId whenAnyFails(String name, NewJob job) {
        GroupRef group = enter(name, job.scheduledAt());
        checkOpen(name, store.groups().whenAnyFails(group, waiting(job)));
        return job.id();
    }

    private static GroupJob waiting(NewJob job) {
        return new GroupJob(job.id(), job.partition(), job.task(), job.retry());
    }
}
