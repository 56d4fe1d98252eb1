package io.delayjob.proofs.chaos;

import io.delayjob.job.AttemptRecord;
import io.delayjob.job.CancelResult;
import io.delayjob.job.ChangeResult;
import io.delayjob.job.Completion;
import io.delayjob.job.DueRow;
import io.delayjob.job.DueSink;
import io.delayjob.job.Job;
import io.delayjob.job.JobId;
import io.delayjob.job.JobState;
import io.delayjob.job.NewJob;
import io.delayjob.job.Partition;
import io.delayjob.job.Scheduled;
import io.delayjob.store.CompletionResult;
import io.delayjob.store.InstanceStore;
import io.delayjob.store.JobCounts;
import io.delayjob.store.JobPage;
import io.delayjob.store.JobQuery;
import io.delayjob.store.JobStore;
import io.delayjob.store.LostPage;
import io.delayjob.store.OverduePage;
import io.delayjob.store.PartitionCursor;
import java.time.Instant;
import java.util.Collection;
import java.util.List;
import java.util.Optional;
import java.util.Set;

/** Does what another store does; a {@link Mutant} overrides what it spoils. */
class ForwardingStore implements JobStore {

    final JobStore store;

    ForwardingStore(JobStore store) {
        this.store = store;
    }

    @Override
    public List<Scheduled> submit(List<NewJob> jobs, DueSink committed) {
        return store.submit(jobs, committed);
    }

    @Override
    public CancelResult cancel(JobId id, Instant now) {
        return store.cancel(id, now);
    }

    @Override
    public CancelResult cancel(String name, String key, Instant now) {
        return store.cancel(name, key, now);
    }

    @Override
    public ChangeResult reschedule(JobId id, Instant due, long freshToken, DueSink committed) {
        return store.reschedule(id, due, freshToken, committed);
    }

    @Override
    public ChangeResult retry(JobId id, Instant due, long freshToken, DueSink committed) {
        return store.retry(id, due, freshToken, committed);
    }

    @Override
    public Optional<Job> find(String name, String key) {
        return store.find(name, key);
    }

    @Override
    public Optional<Job> find(JobId id) {
        return store.find(id);
    }

    @Override
    public JobPage find(JobQuery query, Instant now) {
        return store.find(query, now);
    }

    @Override
    public List<AttemptRecord> attempts(JobId id, int limit) {
        return store.attempts(id, limit);
    }

    @Override
    public JobCounts counts(Instant now) {
        return store.counts(now);
    }

    @Override
    public long clockMicros() {
        return store.clockMicros();
    }

    @Override
    public Set<Partition> partitionsInUse() {
        return store.partitionsInUse();
    }

    @Override
    public List<DueRow> dueAfter(Collection<PartitionCursor> cursors, Instant until, int limit) {
        return store.dueAfter(cursors, until, limit);
    }

    @Override
    public OverduePage overdue(
            Collection<PartitionCursor> cursors, Instant until, Set<String> names, int limit, int lookAt) {
        return store.overdue(cursors, until, names, limit, lookAt);
    }

    @Override
    public List<Job> claim(List<DueRow> rows, long owner, long freshToken, Instant now) {
        return store.claim(rows, owner, freshToken, now);
    }

    @Override
    public List<DueRow> release(List<DueRow> rows, long claimToken, long freshToken, Instant now) {
        return store.release(rows, claimToken, freshToken, now);
    }

    @Override
    public List<CompletionResult> complete(List<Completion> completions) {
        return store.complete(completions);
    }

    @Override
    public void settleDoubt(Collection<JobId> ids) {
        store.settleDoubt(ids);
    }

    @Override
    public LostPage lost(PartitionCursor cursor, Instant now, int limit) {
        return store.lost(cursor, now, limit);
    }

    @Override
    public List<DueRow> rescue(List<DueRow> lost, Instant now, long freshToken) {
        return store.rescue(lost, now, freshToken);
    }

    @Override
    public int purgeHistory(JobState state, Instant before, int limit) {
        return store.purgeHistory(state, before, limit);
    }

    @Override
    public InstanceStore instances() {
        return store.instances();
    }
}
