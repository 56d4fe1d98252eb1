package io.delayjob.memory;

import io.delayjob.job.AnswerResult;
import io.delayjob.job.AttemptRecord;
import io.delayjob.job.CancelResult;
import io.delayjob.job.ChangeResult;
import io.delayjob.job.Completion;
import io.delayjob.job.DueRow;
import io.delayjob.job.Job;
import io.delayjob.job.JobId;
import io.delayjob.job.JobState;
import io.delayjob.job.NewJob;
import io.delayjob.job.OversizePayload;
import io.delayjob.job.Partition;
import io.delayjob.job.PauseNote;
import io.delayjob.job.Paused;
import io.delayjob.job.PausedName;
import io.delayjob.job.Scheduled;
import io.delayjob.store.ClaimedRow;
import io.delayjob.store.CompletionResult;
import io.delayjob.store.DueCounts;
import io.delayjob.store.DuePage;
import io.delayjob.store.DueSink;
import io.delayjob.store.DueSpan;
import io.delayjob.store.Durability;
import io.delayjob.store.FailureGroups;
import io.delayjob.store.InstanceStore;
import io.delayjob.store.JobCounts;
import io.delayjob.store.JobGroups;
import io.delayjob.store.JobPage;
import io.delayjob.store.JobQuery;
import io.delayjob.store.JobStore;
import io.delayjob.store.MinuteRow;
import io.delayjob.store.MinuteSpan;
import io.delayjob.store.MinuteSum;
import io.delayjob.store.PartitionCursor;
import io.delayjob.store.StoreCapabilities;
import io.delayjob.store.StoreCapability;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Collection;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.function.Consumer;
import java.util.function.Function;
import java.util.function.LongSupplier;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/**
 * Stores all jobs in the memory of this process, under one lock. Use this store for tests, and for applications that
 * may lose their jobs when the process ends. This store has no transactions: every call takes effect at once.
 *
 * <p>The store keeps at most {@value MemoryHistory#MAX_JOBS_PER_STATE} ended jobs of each state. This number of jobs
 * takes about 30 MB for each state. If more jobs have ended, the store drops the jobs that ended first. The store never
 * drops the cancelled job of a self-starting handler. The store keeps the newest {@value
 * MemoryHistory#MAX_ATTEMPTS_PER_JOB} attempts of each job. The store keeps statistics for the newest 10,080 minutes in
 * which jobs ran. Several engines of one process may share a store. Thread-safe.
 */
public final class MemoryJobStore implements JobStore {

    private static final StoreCapabilities CAPABILITIES = new StoreCapabilities(
            Durability.PROCESS,
            Set.of(
                    StoreCapability.BATCHES_ACROSS_GROUPS,
                    StoreCapability.GIVEN_IDS,
                    StoreCapability.GROUPS,
                    StoreCapability.QUERIES_OF_ALL_STATES,
                    StoreCapability.STATISTICS));

    private final LongSupplier clockMicros;
    private final long maxPayloadBytes;
    private final MemoryInstanceStore instances;
    private final Object lock = new Object();
    private final MemoryJobTable unfinished = new MemoryJobTable();
    private final MemoryHistory history = new MemoryHistory();
    private final MemoryMinutes minutes = new MemoryMinutes();
    private final MemoryPages pages;
    private final MemoryGroups groups = new MemoryGroups(lock, unfinished, history);
    private final MemorySubmission submission = new MemorySubmission(unfinished, history, groups);
    private final MemoryDuePages duePages = new MemoryDuePages(unfinished);
    private final MemoryTransitions transitions;
    private final MemoryChanges changes;
    private final MemoryPauses pauses = new MemoryPauses();
    private @Nullable String identity;

    /** @param clockMicros the store's clock, in microseconds since the epoch */
    public MemoryJobStore(LongSupplier clockMicros) {
        this(clockMicros, OversizePayload.DEFAULT_LIMIT);
    }

    /**
     * @param clockMicros the store's clock, in microseconds since the epoch
     * @param maxPayloadBytes maximum length of a payload that is returned, in bytes of UTF-8
     */
    public MemoryJobStore(LongSupplier clockMicros, long maxPayloadBytes) {
        this.clockMicros = clockMicros;
        this.maxPayloadBytes = maxPayloadBytes;
        this.pages = new MemoryPages(unfinished, history, maxPayloadBytes);
        this.transitions = new MemoryTransitions(unfinished, history, groups, maxPayloadBytes);
        this.instances = new MemoryInstanceStore(lock, clockMicros, this::paused);
        this.changes = new MemoryChanges(unfinished, history, groups, transitions, instances);
    }

    /** Returns the store's name, for use in logs. */
    @Override
    public String toString() {
        return "memory";
    }

    @Override
    public List<Scheduled> submit(List<NewJob> jobs, DueSink committed) {
        return handingOver(committed, nowWaiting -> submission.submit(jobs, nowWaiting));
    }

    @Override
    public Scheduled submitOnce(NewJob job, DueSink committed) {
        return handingOver(committed, nowWaiting -> submission.submitOnce(job, nowWaiting));
    }

    @Override
    public CancelResult cancel(JobId id, Instant now) {
        return locked(() -> changes.cancel(id, now));
    }

    @Override
    public CancelResult cancel(String name, String key, Instant now) {
        return locked(() -> changes.cancel(name, key, now));
    }

    @Override
    public void withdraw(JobId id, Instant now) {
        synchronized (lock) {
            changes.withdraw(id, now);
        }
    }

    @Override
    public Map<JobId, CancelResult> cancelWaiting(List<JobId> ids, Instant now) {
        return locked(() -> changes.cancel(ids, job -> !job.isUnderWay(), now));
    }

    @Override
    public Map<JobId, CancelResult> cancelAwaiting(List<JobId> ids, Instant now) {
        return locked(() -> changes.cancel(ids, Job::awaiting, now));
    }

    @Override
    public ChangeResult reschedule(JobId id, Instant due, long freshToken, DueSink committed) {
        return handingOver(committed, nowWaiting -> changes.reschedule(id, due, freshToken, nowWaiting));
    }

    @Override
    public ChangeResult retry(JobId id, Instant due, long freshToken, DueSink committed) {
        return handingOver(committed, nowWaiting -> changes.retry(id, due, freshToken, nowWaiting));
    }

    @Override
    public AnswerResult answer(JobId id, Function<Job, @Nullable Completion> end, Consumer<Completion> committed) {
        List<Completion> written = new ArrayList<>(1);
        AnswerResult result;
        synchronized (lock) {
            result = changes.answer(id, job -> end.apply(job.readUpTo(maxPayloadBytes)), written);
        }
        written.forEach(committed);
        return result;
    }

    private <R> R locked(Supplier<R> call) {
        synchronized (lock) {
            return call.get();
        }
    }

    /** The sink is called without the lock, because the sink may call the store. */
    private <R> R handingOver(DueSink committed, Function<Map<JobId, DueRow>, R> change) {
        Map<JobId, DueRow> nowWaiting = new LinkedHashMap<>();
        R result;
        DueSink asOfChange;
        synchronized (lock) {
            asOfChange = committed.asOfNow();
            result = change.apply(nowWaiting);
        }
        if (!nowWaiting.isEmpty()) {
            asOfChange.accept(List.copyOf(nowWaiting.values()));
        }
        return result;
    }

    @Override
    public Optional<Job> find(JobId id) {
        return locked(() -> pages.find(id));
    }

    @Override
    public Optional<Job> find(String name, String key) {
        return locked(() -> pages.find(name, key));
    }

    @Override
    public JobPage find(JobQuery query, Instant now) {
        return locked(() -> pages.find(query, now));
    }

    @Override
    public List<AttemptRecord> attempts(JobId id, int limit) {
        return locked(() -> history.attempts(id, limit));
    }

    @Override
    public boolean pause(Paused what, PauseNote note, Runnable committed) {
        boolean changed;
        synchronized (lock) {
            changed = pauses.add(what, note);
        }
        committed.run();
        return changed;
    }

    @Override
    public boolean resume(Paused what, Runnable committed) {
        boolean changed;
        synchronized (lock) {
            changed = pauses.remove(what);
        }
        committed.run();
        return changed;
    }

    @Override
    public Paused paused() {
        return locked(() -> pauses.paused());
    }

    @Override
    public List<PausedName> pauses() {
        return locked(() -> pauses.all());
    }

    @Override
    public DueCounts due(DueSpan span) {
        return locked(() -> pages.due(span));
    }

    @Override
    public FailureGroups failures(FailureGroups.Span span) {
        return locked(() -> pages.failures(span));
    }

    @Override
    public JobCounts counts(Instant now) {
        return locked(() -> pages.counts(now));
    }

    @Override
    public StoreCapabilities capabilities() {
        return CAPABILITIES;
    }

    @Override
    public long maxPayloadBytes() {
        return maxPayloadBytes;
    }

    @Override
    public long clockMicros() {
        return clockMicros.getAsLong();
    }

    @Override
    public Map<Partition, Instant> partitionsInUse() {
        return locked(() -> unfinished.earliest());
    }

    @Override
    public DuePage<DueRow> dueAfter(Collection<PartitionCursor> cursors, Instant until, int limit) {
        return locked(() -> duePages.dueAfter(cursors, until, limit));
    }

    @Override
    public DuePage<DueRow> overdue(
            Collection<PartitionCursor> cursors, Instant until, Set<String> names, int limit, int lookAt) {
        return locked(() -> duePages.overdue(cursors, until, names, limit, lookAt));
    }

    @Override
    public DuePage<ClaimedRow> claimedByOthers(
            Collection<PartitionCursor> cursors, Instant until, Set<Long> known, int limit) {
        return locked(() -> duePages.claimedByOthers(cursors, until, known, limit));
    }

    @Override
    public List<Job> claim(List<DueRow> rows, long owner, long freshToken, Instant now) {
        return locked(() -> transitions.claim(rows, owner, freshToken, now));
    }

    @Override
    public List<DueRow> release(List<DueRow> rows, long claimToken, long freshToken, Instant now) {
        return locked(() -> transitions.release(rows, claimToken, freshToken, now));
    }

    @Override
    public List<CompletionResult> complete(List<Completion> completions) {
        return locked(() -> transitions.complete(completions));
    }

    @Override
    public List<JobId> settleDoubt(Collection<JobId> ids) {
        return locked(() -> transitions.settleDoubt(ids));
    }

    @Override
    public List<DueRow> rescue(List<DueRow> lost, Instant now, long freshToken) {
        return locked(() -> transitions.rescue(lost, now, freshToken));
    }

    @Override
    public void recordMinutes(long owner, List<MinuteRow> rows) {
        minutes.record(owner, rows);
    }

    @Override
    public List<MinuteSum> minutes(MinuteSpan span) {
        return minutes.sums(span);
    }

    @Override
    public boolean purgeMinutes(Instant before) {
        return minutes.purge(before);
    }

    @Override
    public int purgeHistory(JobState state, Instant before, int limit) {
        return locked(() -> history.purge(state, before, limit));
    }

    @Override
    public int purgeKept(Instant now, int limit) {
        return locked(() -> history.purgeKept(now, limit));
    }

    @Override
    public JobGroups groups() {
        return groups;
    }

    @Override
    public String identity(String proposed) {
        return locked(() -> identity = identity == null ? proposed : identity);
    }

    @Override
    public InstanceStore instances() {
        return instances;
    }
}
