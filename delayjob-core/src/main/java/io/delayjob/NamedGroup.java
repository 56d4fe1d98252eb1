package io.delayjob;

import io.delayjob.job.BulkResult;
import io.delayjob.job.GroupState;
import io.delayjob.job.GroupStatus;
import io.delayjob.job.JobId;
import io.delayjob.job.JobState;
import io.delayjob.store.JobGroups;
import io.delayjob.store.JobQuery;
import io.delayjob.time.EngineClock;
import java.util.List;
import java.util.Optional;

/** A group of this name, whether it exists or not. */
record NamedGroup(String name, DelayJobOperations jobs, JobGroups groups, GroupWriter writer, EngineClock clock)
        implements JobGroup {

    /**
     * States of members to cancel, in the order in which jobs pass through them. A member may wait again after its state
     * was searched, so the search is repeated.
     */
    private static final List<JobState> UNFINISHED =
            List.of(JobState.DELAYED, JobState.READY, JobState.AWAITING, JobState.RUNNING);

    /** Maximum number of searches. A further one is needed only if members have changed their state meanwhile. */
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
        long cancelled = 0;
        long skipped = 0;
        for (int search = 0; search < MAX_SEARCHES; search++) {
            long before = cancelled;
            for (JobState state : UNFINISHED) {
                // Running members stay until their attempts end. A second request would count them again.
                if (search == 0 || state != JobState.RUNNING) {
                    BulkResult result = jobs.cancel(JobQuery.state(state).group(name));
                    cancelled += result.changed();
                    skipped += result.skipped();
                }
            }
            if (search > 0 && cancelled == before) {
                break;
            }
        }
        return new BulkResult(cancelled, skipped);
    }

    @Override
    public Optional<GroupStatus> find() {
        return groups.find(name);
    }
}
