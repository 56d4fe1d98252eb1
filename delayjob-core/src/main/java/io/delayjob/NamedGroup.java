package io.delayjob;

import io.delayjob.job.BulkResult;
import io.delayjob.job.CancelResult;
import io.delayjob.job.GroupState;
import io.delayjob.job.GroupStatus;
import io.delayjob.job.Job;
import io.delayjob.job.JobId;
import io.delayjob.job.JobState;
import io.delayjob.store.JobGroups;
import io.delayjob.store.JobQuery;
import io.delayjob.time.EngineClock;
import java.util.HashSet;
import java.util.List;
import java.util.Optional;
import java.util.Set;

/** A group with this name; the group may not exist yet. */
record NamedGroup(String name, DelayJobOperations jobs, JobGroups groups, GroupWriter writer, EngineClock clock)
        implements JobGroup {

    /**
     * The states are in the order in which jobs pass through them. During the searches, a member may enter a state that
     * was already searched. So the searches are repeated.
     */
    private static final List<JobState> WAITING = List.of(JobState.DELAYED, JobState.READY, JobState.AWAITING);

    private static final Set<CancelResult> TOO_LATE = Set.of(CancelResult.ALREADY_ENDED, CancelResult.NOT_FOUND);

    private static final int MAX_SEARCHES = 10;

    @Override
    public <B> JobId whenAllEnded(MethodReference.NoPayload<B> handler) {
        return whenAllEnded(jobs.schedule(handler));
    }

    @Override
    public <B> JobId whenAllEnded(MethodReference.ContextOnly<B> handler) {
        return whenAllEnded(jobs.schedule(handler));
    }

    @Override
    public void close() {
        writer.close(name, clock.storeTime());
    }

    @Override
    public BulkResult cancel() {
        Optional<GroupStatus> found = find();
        if (found.isEmpty() || found.get().state() == GroupState.ENDED) {
            return new BulkResult(0, 0);
        }
        groups.cancel(found.get().group());
        // If the store cannot join the caller's transaction, another search would find the same jobs again.
        boolean isDone =
                find().filter(group -> group.state() == GroupState.CANCELLED).isPresent();
        long waiting = 0;
        long skipped = 0;
        Set<JobId> running = new HashSet<>();
        for (int search = 0; search < (isDone ? MAX_SEARCHES : 1); search++) {
            long before = waiting + running.size();
            for (JobState state : WAITING) {
                BulkResult result = jobs.cancel(JobQuery.state(state).group(name));
                waiting += result.changed();
                skipped += result.skipped();
            }
            jobs.stream(JobQuery.state(JobState.RUNNING).group(name))
                    .map(Job::id)
                    .filter(id -> !running.contains(id) && !TOO_LATE.contains(jobs.cancel(id)))
                    .forEach(running::add);
            if (search > 0 && waiting + running.size() == before) {
                break;
            }
        }
        return new BulkResult(waiting + running.size(), skipped);
    }

    @Override
    public Optional<GroupStatus> find() {
        return groups.find(name);
    }
}
