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
import java.util.Collection;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.function.Consumer;
import java.util.function.Function;
import java.util.function.LongSupplier;
import java.util.function.Predicate;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;

/**
 * The smallest complete store: it keeps everything in the memory of this process, under one lock. For tests, and for
 * applications that may lose their jobs with the process. It has no transactions: every call takes effect at once.
 *
 * <p>It keeps at most {@value MemoryHistory#MAX_JOBS_PER_STATE} ended jobs of each state, some 30 MB, and forgets those
 * that ended first. Of each job's attempts it logs the newest {@value MemoryHistory#MAX_ATTEMPTS_PER_JOB}. It
 * keeps the numbers of the newest 10,080 minutes in which something ran. Several
 * engines of one process may share it. Thread-safe.
 */
public final class MemoryJobStore implements JobStore {

    private static final StoreCapabilities CAPABILITIES = new StoreCapabilities(
            Durability.PROCESS,
            Set.of(
                    StoreCapability.BATCHES_ACROSS_GROUPS,
                    StoreCapability.GIVEN_IDS,
                    StoreCapability.QUERIES_OF_ALL_STATES,
                    StoreCapability.STATISTICS));

    private final LongSupplier clockMicros;
    private final long maxPayloadBytes;
    private final MemoryInstanceStore instances;
    private final Object lock = new Object();
    private final MemoryJobTable unfinished = new MemoryJobTable();
    private final MemoryHistory history = new MemoryHistory();
    private final MemoryMinutes minutes = new MemoryMinutes();
    private final MemoryPages pages = new MemoryPages(unfinished, history);
    private final MemorySubmission submission = new MemorySubmission(unfinished, history);
    private final MemoryDuePages duePages = new MemoryDuePages(unfinished);
    private final MemoryTransitions transitions;
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
        this.transitions = new MemoryTransitions(unfinished, history, maxPayloadBytes);
        this.instances = new MemoryInstanceStore(lock, clockMicros, this::paused);
    }

    /** Returns the store's name in logs. */
    @Override
    public String toString() {
        return "memory";
    }

    @Override
    public List<Scheduled> submit(List<NewJob> jobs, DueSink committed) {
        Map<JobId, DueRow> nowWaiting = new LinkedHashMap<>();
        List<Scheduled> results;
        synchronized (lock) {
            results = submission.submit(jobs, nowWaiting);
        }
        handOver(List.copyOf(nowWaiting.values()), committed);
        return results;
    }

    @Override
    public Scheduled submitOnce(NewJob job, DueSink committed) {
        Map<JobId, DueRow> nowWaiting = new LinkedHashMap<>();
        Scheduled result;
        synchronized (lock) {
            result = submission.submitOnce(job, nowWaiting);
        }
        handOver(List.copyOf(nowWaiting.values()), committed);
        return result;
    }

    @Override
    public CancelResult cancel(JobId id, Instant now) {
        synchronized (lock) {
            Job job = unfinished.find(id);
            if (job != null) {
                return cancel(job, now);
            }
            Job ended = history.find(id);
            if (ended == null) {
                return CancelResult.NOT_FOUND;
            }
            return ended.state() == JobState.CANCELLED ? CancelResult.ofCancelled(ended) : CancelResult.ALREADY_ENDED;
        }
    }

    @Override
    public CancelResult cancel(String name, String key, Instant now) {
        synchronized (lock) {
            Job job = unfinished.find(name, key);
            return job == null ? CancelResult.NOT_FOUND : cancel(job, now);
        }
    }

    private CancelResult cancel(Job job, Instant now) {
        if (job.state() == JobState.RUNNING) {
            unfinished.save(JobEdit.of(job).cancelRequested().done());
            instances.noteCancellation(job.owner(), job.id());
            return CancelResult.RUNNING;
        }
        transitions.endCancelled(job, now);
        return CancelResult.ofCancelled(job);
    }

    @Override
    public void withdraw(JobId id, Instant now) {
        synchronized (lock) {
            Job job = unfinished.find(id);
            if (job == null) {
                return;
            }
            JobEdit withdrawn = JobEdit.of(job).withoutKey();
            if (job.state() == JobState.RUNNING) {
                unfinished.save(withdrawn.cancelRequested().done());
            } else {
                transitions.endCancelled(withdrawn.done(), now);
            }
        }
    }

    @Override
    public Map<JobId, CancelResult> cancelWaiting(List<JobId> ids, Instant now) {
        return cancel(ids, job -> !job.isUnderWay(), now);
    }

    @Override
    public Map<JobId, CancelResult> cancelAwaiting(List<JobId> ids, Instant now) {
        return cancel(ids, Job::awaiting, now);
    }

    private Map<JobId, CancelResult> cancel(List<JobId> ids, Predicate<Job> which, Instant now) {
        synchronized (lock) {
            return ids.stream()
                    .map(unfinished::find)
                    .filter(job -> job != null && which.test(job))
                    .collect(Collectors.toMap(Job::id, job -> cancel(job.id(), now)));
        }
    }

    @Override
    public ChangeResult reschedule(JobId id, Instant due, long freshToken, DueSink committed) {
        Job moved;
        synchronized (lock) {
            Job job = unfinished.find(id);
            if (job == null) {
                return history.find(id) == null ? ChangeResult.NOT_FOUND : ChangeResult.ALREADY_ENDED;
            }
            if (job.isUnderWay()) {
                return ChangeResult.RUNNING;
            }
            moved = JobEdit.of(job).movedTo(due, due, freshToken).done();
            unfinished.save(moved);
        }
        handOver(List.of(moved.toDueRow()), committed);
        return ChangeResult.CHANGED;
    }

    @Override
    public ChangeResult retry(JobId id, Instant due, long freshToken, DueSink committed) {
        Job revived;
        synchronized (lock) {
            Job job = unfinished.find(id);
            if (job != null) {
                return job.isUnderWay() ? ChangeResult.RUNNING : ChangeResult.WAITING;
            }
            Job ended = history.find(id);
            if (ended == null) {
                return ChangeResult.NOT_FOUND;
            }
            if (ended.state() != JobState.FAILED) {
                return ChangeResult.ALREADY_ENDED;
            }
            if (unfinished.find(ended.name(), ended.key()) != null) {
                return ChangeResult.KEY_IN_USE;
            }
            revived = JobEdit.of(ended).revived(due, freshToken).done();
            history.delete(id);
            unfinished.save(revived);
        }
        handOver(List.of(revived.toDueRow()), committed);
        return ChangeResult.CHANGED;
    }

    @Override
    public AnswerResult answer(JobId id, Function<Job, @Nullable Completion> end, Consumer<Completion> committed) {
        Completion written;
        synchronized (lock) {
            Job job = unfinished.find(id);
            if (job == null) {
                Job ended = history.find(id);
                return ended == null
                        ? AnswerResult.NOT_FOUND
                        : ended.state() == JobState.CANCELLED ? AnswerResult.CANCELLED : AnswerResult.NOT_AWAITED;
            }
            written = end.apply(readable(job));
            if (written == null) {
                return AnswerResult.NOT_AWAITED;
            }
            transitions.complete(written);
        }
        committed.accept(written);
        return written.cancels() ? AnswerResult.CANCELLED : AnswerResult.TAKEN;
    }

    /** Passes rows on outside the lock, because the receiver may call the store. */
    private static void handOver(List<DueRow> rows, DueSink committed) {
        if (!rows.isEmpty()) {
            committed.accept(rows);
        }
    }

    @Override
    public Optional<Job> find(JobId id) {
        synchronized (lock) {
            Job job = unfinished.find(id);
            return Optional.ofNullable(job != null ? job : history.find(id)).map(this::readable);
        }
    }

    @Override
    public Optional<Job> find(String name, String key) {
        synchronized (lock) {
            Job job = unfinished.find(name, key);
            return Optional.ofNullable(job != null ? job : history.newest(name, key))
                    .map(this::readable);
        }
    }

    @Override
    public JobPage find(JobQuery query, Instant now) {
        synchronized (lock) {
            JobPage page = pages.find(query, now);
            return new JobPage(page.stream().map(this::readable).toList(), page.next(), page.lookedAt());
        }
    }

    @Override
    public List<AttemptRecord> attempts(JobId id, int limit) {
        synchronized (lock) {
            return history.attempts(id, limit);
        }
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
        synchronized (lock) {
            return pauses.paused();
        }
    }

    @Override
    public List<PausedName> pauses() {
        synchronized (lock) {
            return pauses.all();
        }
    }

    @Override
    public DueCounts due(DueSpan span) {
        synchronized (lock) {
            return pages.due(span);
        }
    }

    @Override
    public FailureGroups failures(FailureGroups.Span span) {
        synchronized (lock) {
            return pages.failures(span);
        }
    }

    @Override
    public JobCounts counts(Instant now) {
        synchronized (lock) {
            return pages.counts(now);
        }
    }

    /** Removes a payload that is too long, because databases do not return one either. */
    private Job readable(Job job) {
        return job.readUpTo(maxPayloadBytes);
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
        synchronized (lock) {
            return unfinished.earliest();
        }
    }

    @Override
    public DuePage<DueRow> dueAfter(Collection<PartitionCursor> cursors, Instant until, int limit) {
        synchronized (lock) {
            return duePages.dueAfter(cursors, until, limit);
        }
    }

    @Override
    public DuePage<DueRow> overdue(
            Collection<PartitionCursor> cursors, Instant until, Set<String> names, int limit, int lookAt) {
        synchronized (lock) {
            return duePages.overdue(cursors, until, names, limit, lookAt);
        }
    }

    @Override
    public DuePage<ClaimedRow> claimedByOthers(
            Collection<PartitionCursor> cursors, Instant until, Set<Long> known, int limit) {
        synchronized (lock) {
            return duePages.claimedByOthers(cursors, until, known, limit);
        }
    }

    @Override
    public List<Job> claim(List<DueRow> rows, long owner, long freshToken, Instant now) {
        synchronized (lock) {
            return transitions.claim(rows, owner, freshToken, now);
        }
    }

    @Override
    public List<DueRow> release(List<DueRow> rows, long claimToken, long freshToken, Instant now) {
        synchronized (lock) {
            return transitions.release(rows, claimToken, freshToken, now);
        }
    }

    @Override
    public List<CompletionResult> complete(List<Completion> completions) {
        synchronized (lock) {
            return transitions.complete(completions);
        }
    }

    @Override
    public void settleDoubt(Collection<JobId> ids) {
        synchronized (lock) {
            transitions.settleDoubt(ids);
        }
    }

    @Override
    public List<DueRow> rescue(List<DueRow> lost, Instant now, long freshToken) {
        synchronized (lock) {
            return transitions.rescue(lost, now, freshToken);
        }
    }

    @Override
    public void recordMinutes(long owner, List<MinuteRow> rows) {
        synchronized (lock) {
            minutes.record(owner, rows);
        }
    }

    @Override
    public List<MinuteSum> minutes(MinuteSpan span) {
        synchronized (lock) {
            return minutes.sums(span);
        }
    }

    @Override
    public boolean purgeMinutes(Instant before) {
        synchronized (lock) {
            return minutes.purge(before);
        }
    }

    @Override
    public int purgeHistory(JobState state, Instant before, int limit) {
        synchronized (lock) {
            return history.purge(state, before, limit);
        }
    }

    @Override
    public String identity(String proposed) {
        synchronized (lock) {
            if (identity == null) {
                identity = proposed;
            }
            return identity;
        }
    }

    @Override
    public InstanceStore instances() {
        return instances;
    }
}
