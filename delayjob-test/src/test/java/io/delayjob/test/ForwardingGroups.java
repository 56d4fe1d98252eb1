package io.delayjob.test;

import io.delayjob.job.GroupJob;
import io.delayjob.job.GroupRef;
import io.delayjob.job.GroupState;
import io.delayjob.job.GroupStatus;
import io.delayjob.store.DueSink;
import io.delayjob.store.JobGroups;
import java.time.Instant;
import java.util.List;
import java.util.Optional;
import java.util.function.Consumer;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/** Groups in front of others. */
class ForwardingGroups implements JobGroups {

    final JobGroups target;

    ForwardingGroups(JobGroups target) {
        this.target = target;
    }

    /** Makes any call. */
    <T> T pass(Supplier<T> call) {
        return call.get();
    }

    @Override
    public GroupRef enter(GroupRef proposed, Instant now) {
        return pass(() -> target.enter(proposed, now));
    }

    @Override
    public Optional<GroupStatus> find(String name) {
        return pass(() -> target.find(name));
    }

    @Override
    public List<GroupStatus> unended(int limit) {
        return pass(() -> target.unended(limit));
    }

    @Override
    public List<GroupStatus> ended(int limit) {
        return pass(() -> target.ended(limit));
    }

    @Override
    public @Nullable GroupState close(GroupRef group, @Nullable GroupJob whenAllEnded) {
        return pass(() -> target.close(group, whenAllEnded));
    }

    @Override
    public @Nullable GroupJob whenAllEnded(GroupRef group) {
        return pass(() -> target.whenAllEnded(group));
    }

    @Override
    public @Nullable GroupState whenAnyFails(GroupRef group, GroupJob job) {
        return pass(() -> target.whenAnyFails(group, job));
    }

    @Override
    public @Nullable GroupState cancel(GroupRef group) {
        return pass(() -> target.cancel(group));
    }

    @Override
    public boolean fold(Instant now, long freshToken, DueSink committed, Consumer<GroupStatus> ended) {
        return pass(() -> target.fold(now, freshToken, committed, ended));
    }

    @Override
    public int purge(Instant before, int limit) {
        return pass(() -> target.purge(before, limit));
    }
}
