package io.delayjob.store;

import io.delayjob.job.AnswerResult;
import io.delayjob.job.AttemptRecord;
import io.delayjob.job.CancelResult;
import io.delayjob.job.ChangeResult;
import io.delayjob.job.Completion;
import io.delayjob.job.DueRow;
import io.delayjob.job.Job;
import io.delayjob.job.JobId;
import io.delayjob.job.JobMove;
import io.delayjob.job.JobState;
import io.delayjob.job.NewJob;
import io.delayjob.job.Partition;
import io.delayjob.job.PauseNote;
import io.delayjob.job.Paused;
import io.delayjob.job.PausedName;
import io.delayjob.job.Scheduled;
import java.time.Instant;
import java.util.Collection;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.function.Consumer;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;

/**
 * Passes all calls to another store. A subclass overrides only the methods that it changes or watches.
 *
 * <p>This store is thread-safe if the target store is thread-safe.
 */
public abstract class ForwardingJobStore implements JobStore {

    /** The store that receives the calls. */
    protected final JobStore target;

    protected ForwardingJobStore(JobStore target) {
        this.target = target;
    }

    @Override
    public String toString() {
        return target.toString();
    }

    @Override
    public List<Scheduled> submit(List<NewJob> jobs, DueSink committed) {
        return target.submit(jobs, committed);
    }

    @Override
    public Scheduled submitOnce(NewJob job, DueSink committed) {
        return target.submitOnce(job, committed);
    }

    @Override
    public CancelResult cancel(JobId id, Instant now) {
        return target.cancel(id, now);
    }

    @Override
    public CancelResult cancel(String name, String key, Instant now) {
        return target.cancel(name, key, now);
    }

    @Override
    public void withdraw(JobId id, Instant now) {
        target.withdraw(id, now);
    }

    @Override
    public ChangeResult reschedule(JobId id, Instant due, long freshToken, DueSink committed) {
        return target.reschedule(id, due, freshToken, committed);
    }

    @Override
    public ChangeResult retry(JobId id, Instant due, long freshToken, DueSink committed) {
        return target.retry(id, due, freshToken, committed);
    }

    @Override
    public AnswerResult answer(JobId id, Function<Job, @Nullable Completion> end, Consumer<Completion> committed) {
        return target.answer(id, end, committed);
    }

    @Override
    public Optional<Job> find(String name, String key) {
        return target.find(name, key);
    }

    @Override
    public List<CancelResult> cancelAll(List<JobId> ids, Instant now) {
        return target.cancelAll(ids, now);
    }

    @Override
    public Map<JobId, CancelResult> cancelWaiting(List<JobId> ids, Instant now) {
        return target.cancelWaiting(ids, now);
    }

    @Override
    public Map<JobId, CancelResult> cancelAwaiting(List<JobId> ids, Instant now) {
        return target.cancelAwaiting(ids, now);
    }

    @Override
    public List<ChangeResult> rescheduleAll(List<JobMove> moves, long freshToken, DueSink committed) {
        return target.rescheduleAll(moves, freshToken, committed);
    }

    @Override
    public List<ChangeResult> retryAll(List<JobMove> moves, long freshToken, DueSink committed) {
        return target.retryAll(moves, freshToken, committed);
    }

    @Override
    public Optional<Job> find(JobId id) {
        return target.find(id);
    }

    @Override
    public JobPage find(JobQuery query, Instant now) {
        return target.find(query, now);
    }

    @Override
    public List<AttemptRecord> attempts(JobId id, int limit) {
        return target.attempts(id, limit);
    }

    @Override
    public boolean pause(Paused what, PauseNote note, Runnable committed) {
        return target.pause(what, note, committed);
    }

    @Override
    public boolean resume(Paused what, Runnable committed) {
        return target.resume(what, committed);
    }

    @Override
    public Paused paused() {
        return target.paused();
    }

    @Override
    public List<PausedName> pauses() {
        return target.pauses();
    }

    @Override
    public DueCounts due(DueSpan span) {
        return target.due(span);
    }

    @Override
    public FailureGroups failures(FailureGroups.Span span) {
        return target.failures(span);
    }

    @Override
    public JobCounts counts(Instant now) {
        return target.counts(now);
    }

    @Override
    public long maxPayloadBytes() {
        return target.maxPayloadBytes();
    }

    @Override
    public long clockMicros() {
        return target.clockMicros();
    }

    @Override
    public Map<Partition, Instant> partitionsInUse() {
        return target.partitionsInUse();
    }

    @Override
    public DuePage<DueRow> dueAfter(Collection<PartitionCursor> cursors, Instant until, int limit) {
        return target.dueAfter(cursors, until, limit);
    }

    @Override
    public DuePage<DueRow> overdue(
            Collection<PartitionCursor> cursors, Instant until, Set<String> names, int limit, int lookAt) {
        return target.overdue(cursors, until, names, limit, lookAt);
    }

    @Override
    public List<Job> claim(List<DueRow> rows, long owner, long freshToken, Instant now) {
        return target.claim(rows, owner, freshToken, now);
    }

    @Override
    public List<DueRow> release(List<DueRow> rows, long claimToken, long freshToken, Instant now) {
        return target.release(rows, claimToken, freshToken, now);
    }

    @Override
    public List<CompletionResult> complete(List<Completion> completions) {
        return target.complete(completions);
    }

    @Override
    public List<JobId> settleDoubt(Collection<JobId> ids) {
        return target.settleDoubt(ids);
    }

    @Override
    public DuePage<ClaimedRow> claimedByOthers(
            Collection<PartitionCursor> cursors, Instant until, Set<Long> known, int limit) {
        return target.claimedByOthers(cursors, until, known, limit);
    }

    @Override
    public List<DueRow> firstDue(Collection<Partition> partitions, Instant until, int limit) {
        return target.firstDue(partitions, until, limit);
    }

    @Override
    public List<DueRow> rescue(List<DueRow> lost, Instant now, long freshToken) {
        return target.rescue(lost, now, freshToken);
    }

    @Override
    public int purgeHistory(JobState state, Instant before, int limit) {
        return target.purgeHistory(state, before, limit);
    }

    @Override
    public int purgeKept(Instant now, int limit) {
        return target.purgeKept(now, limit);
    }

    @Override
    public void recordMinutes(long owner, List<MinuteRow> rows) {
        target.recordMinutes(owner, rows);
    }

    @Override
    public List<MinuteSum> minutes(MinuteSpan span) {
        return target.minutes(span);
    }

    @Override
    public boolean purgeMinutes(Instant before) {
        return target.purgeMinutes(before);
    }

    @Override
    public StoreCapabilities capabilities() {
        return target.capabilities();
    }

    @Override
    public JobPlacement placement() {
        return target.placement();
    }

    @Override
    public HandlerTransactions handlerTransactions() {
        return target.handlerTransactions();
    }

    @Override
    public JobGroups groups() {
        return target.groups();
    }

    @Override
    public String identity(String proposed) {
        return target.identity(proposed);
    }

    @Override
    public InstanceStore instances() {
        return target.instances();
    }
}
