package io.delayjob.memory;

import io.delayjob.job.AttemptRecord;
import io.delayjob.job.CancelResult;
import io.delayjob.job.ChangeResult;
import io.delayjob.job.Completion;
import io.delayjob.job.DueRow;
import io.delayjob.job.Job;
import io.delayjob.job.JobEnd;
import io.delayjob.job.JobExistsException;
import io.delayjob.job.JobId;
import io.delayjob.job.JobState;
import io.delayjob.job.NewJob;
import io.delayjob.job.OnExisting;
import io.delayjob.job.OversizePayload;
import io.delayjob.job.Partition;
import io.delayjob.job.Paused;
import io.delayjob.job.Scheduled;
import io.delayjob.job.Transition;
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
import io.delayjob.store.StoreException;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Collection;
import java.util.Comparator;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.function.LongSupplier;
import org.jspecify.annotations.Nullable;

/**
 * The smallest complete store: it keeps everything in the memory of this process, under one lock. For tests, and for
 * applications that may lose their jobs with the process. It has no transactions: every call takes effect at once.
 *
 * <p>It keeps at most {@value MemoryHistory#MAX_JOBS_PER_STATE} ended jobs of each state, some 30 MB, and drops the
 * jobs that ended first. It logs the newest {@value MemoryHistory#MAX_ATTEMPTS_PER_JOB} attempts of each job. Several
 * engines of one process may share it. Thread-safe.
 */
public final class MemoryJobStore implements JobStore {

    private static final StoreCapabilities CAPABILITIES = new StoreCapabilities(
            Durability.PROCESS,
            Set.of(
                    StoreCapability.BATCHES_ACROSS_GROUPS,
                    StoreCapability.QUERIES_OF_ALL_STATES,
                    StoreCapability.STATISTICS));

    private static final Comparator<DueRow> BY_DUE_TIME =
            Comparator.comparingLong(DueRow::dueMillis).thenComparing(DueRow::id);

    private final LongSupplier clockMicros;
    private final long maxPayloadBytes;
    private final MemoryInstanceStore instances;
    private final Object lock = new Object();
    private final MemoryJobTable unfinished = new MemoryJobTable();
    private final MemoryHistory history = new MemoryHistory();
    private final MemoryMinutes minutes = new MemoryMinutes();
    private final MemoryPages pages = new MemoryPages(unfinished, history);
    private final Set<String> pausedHandlers = new HashSet<>();
    private final Set<String> pausedQueues = new HashSet<>();
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
        this.instances = new MemoryInstanceStore(lock, clockMicros, this::paused);
    }

    /** Returns the store's name in logs. */
    @Override
    public String toString() {
        return "memory";
    }

    @Override
    public List<Scheduled> submit(List<NewJob> jobs, DueSink committed) {
        List<Scheduled> results = new ArrayList<>(jobs.size());
        Map<JobId, DueRow> nowWaiting = new LinkedHashMap<>();
        synchronized (lock) {
            refuseExisting(jobs);
            for (NewJob job : jobs) {
                Scheduled result = submit(job);
                results.add(result);
                if (result.outcome() != Scheduled.Outcome.KEPT) {
                    nowWaiting.put(result.id(), existing(result.id()).toDueRow());
                }
            }
        }
        handOver(List.copyOf(nowWaiting.values()), committed);
        return results;
    }

    /** Checks all jobs before the first write, so that a refused batch leaves nothing behind. */
    private void refuseExisting(List<NewJob> jobs) {
        Set<List<String>> keysOfBatch = new HashSet<>();
        for (NewJob job : jobs) {
            if (find(job.id()).isPresent()) {
                throw StoreException.refused(
                        "Job %s exists already: every new job needs an id of its own.".formatted(job.id()),
                        new IllegalArgumentException("id"));
            }
            String key = job.key();
            if (key != null) {
                boolean taken = !keysOfBatch.add(List.of(job.name(), key)) || unfinished.find(job.name(), key) != null;
                if (taken && job.onExisting() == OnExisting.FAIL) {
                    throw new JobExistsException(job.name(), key);
                }
            }
        }
    }

    private Scheduled submit(NewJob job) {
        Job existing = unfinished.find(job.name(), job.key());
        if (existing == null) {
            return create(job);
        }
        if (job.onExisting() == OnExisting.KEEP) {
            return new Scheduled(existing.id(), Scheduled.Outcome.KEPT, existing.state());
        }
        if (existing.state() == JobState.RUNNING) {
            unfinished.save(JobEdit.of(existing).withoutKey().cancelRequested().done());
            return create(job);
        }
        boolean replaces = job.onExisting() == OnExisting.REPLACE;
        JobEdit edit = JobEdit.of(existing);
        unfinished.save((replaces ? edit.replacedBy(job) : edit.postponedBy(job)).done());
        Scheduled.Outcome outcome = replaces ? Scheduled.Outcome.REPLACED : Scheduled.Outcome.POSTPONED;
        return new Scheduled(existing.id(), outcome, JobState.DELAYED);
    }

    private Scheduled create(NewJob job) {
        unfinished.save(job.toJob());
        return new Scheduled(job.id(), Scheduled.Outcome.CREATED, JobState.DELAYED);
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
        endCancelled(job, now);
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
                endCancelled(withdrawn.done(), now);
            }
        }
    }

    private void endCancelled(Job job, Instant at) {
        unfinished.delete(job.id());
        history.save(JobEdit.of(job)
                .ended(JobState.CANCELLED, new JobEnd(job.calledAt(), at, null))
                .done());
    }

    @Override
    public ChangeResult reschedule(JobId id, Instant due, long freshToken, DueSink committed) {
        Job moved;
        synchronized (lock) {
            Job job = unfinished.find(id);
            if (job == null) {
                return history.find(id) == null ? ChangeResult.NOT_FOUND : ChangeResult.ALREADY_ENDED;
            }
            if (job.state() == JobState.RUNNING) {
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
                return job.state() == JobState.RUNNING ? ChangeResult.RUNNING : ChangeResult.WAITING;
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
    public boolean pause(Paused what, Instant now, Runnable committed) {
        boolean changed;
        synchronized (lock) {
            changed = pausedHandlers.addAll(what.handlers()) | pausedQueues.addAll(what.queues());
        }
        committed.run();
        return changed;
    }

    @Override
    public boolean resume(Paused what, Runnable committed) {
        boolean changed;
        synchronized (lock) {
            changed = pausedHandlers.removeAll(what.handlers()) | pausedQueues.removeAll(what.queues());
        }
        committed.run();
        return changed;
    }

    @Override
    public Paused paused() {
        synchronized (lock) {
            return new Paused(pausedHandlers, pausedQueues);
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
        List<DueRow> rows = new ArrayList<>();
        List<PartitionCursor> next = new ArrayList<>();
        synchronized (lock) {
            for (PartitionCursor cursor : cursors) {
                List<DueRow> found = unfinished.waitingAfter(cursor, until.toEpochMilli(), limit);
                rows.addAll(found);
                if (found.size() == limit) {
                    next.add(PartitionCursor.at(found.get(limit - 1)));
                }
            }
        }
        rows.sort(BY_DUE_TIME);
        return new DuePage<>(rows, next);
    }

    @Override
    public DuePage<DueRow> overdue(
            Collection<PartitionCursor> cursors, Instant until, Set<String> names, int limit, int lookAt) {
        if (names.isEmpty()) {
            return DuePage.none();
        }
        List<DueRow> rows = new ArrayList<>();
        List<PartitionCursor> next = new ArrayList<>();
        synchronized (lock) {
            for (PartitionCursor cursor : cursors) {
                List<Job> looked = unfinished.unfinishedAfter(cursor, until.toEpochMilli(), lookAt);
                List<DueRow> found = looked.stream()
                        .filter(job -> job.state() == JobState.DELAYED && names.contains(job.name()))
                        .limit(limit)
                        .map(Job::toDueRow)
                        .toList();
                rows.addAll(found);
                if (found.size() == limit) {
                    next.add(PartitionCursor.at(found.get(limit - 1)));
                } else if (looked.size() == lookAt) {
                    next.add(PartitionCursor.at(looked.get(lookAt - 1).toDueRow()));
                }
            }
        }
        rows.sort(BY_DUE_TIME);
        return new DuePage<>(rows, next);
    }

    @Override
    public DuePage<ClaimedRow> claimedByOthers(
            Collection<PartitionCursor> cursors, Instant until, Set<Long> known, int limit) {
        List<ClaimedRow> rows = new ArrayList<>();
        List<PartitionCursor> next = new ArrayList<>();
        synchronized (lock) {
            for (PartitionCursor cursor : cursors) {
                List<Job> looked = unfinished.unfinishedAfter(cursor, until.toEpochMilli(), limit);
                looked.stream()
                        .filter(job -> job.state() == JobState.RUNNING && !known.contains(job.owner()))
                        .forEach(job -> rows.add(new ClaimedRow(job.toDueRow(), job.owner())));
                if (looked.size() == limit) {
                    next.add(PartitionCursor.at(looked.get(limit - 1).toDueRow()));
                }
            }
        }
        rows.sort(Comparator.comparing(ClaimedRow::row, BY_DUE_TIME));
        return new DuePage<>(rows, next);
    }

    @Override
    public List<Job> claim(List<DueRow> rows, long owner, long freshToken, Instant now) {
        List<Job> claimed = new ArrayList<>(rows.size());
        synchronized (lock) {
            for (DueRow row : rows) {
                Job job = unfinished.find(row.id());
                if (job != null && job.state() == JobState.DELAYED && job.token() == row.token()) {
                    Job running =
                            JobEdit.of(job).claimedBy(owner, freshToken, now).done();
                    unfinished.save(running);
                    claimed.add(readable(running));
                }
            }
        }
        return claimed;
    }

    @Override
    public List<DueRow> release(List<DueRow> rows, long claimToken, long freshToken, Instant now) {
        synchronized (lock) {
            for (DueRow row : rows) {
                Job job = unfinished.find(row.id());
                if (job != null && (job.token() == row.token() || job.token() == claimToken)) {
                    Job released = JobEdit.of(job).waiting(freshToken).done();
                    if (job.cancelRequested()) {
                        endCancelled(released, now);
                    } else {
                        unfinished.save(released);
                    }
                }
            }
        }
        return List.of();
    }

    @Override
    public List<CompletionResult> complete(List<Completion> completions) {
        synchronized (lock) {
            return completions.stream().map(this::complete).toList();
        }
    }

    private CompletionResult complete(Completion completion) {
        Job job = unfinished.find(completion.job().id());
        if (job == null) {
            return completeAgain(completion, history.find(completion.job().id()));
        }
        if (job.token() != completion.job().token()) {
            return completeAgain(completion, job);
        }
        JobEdit edit = JobEdit.of(job)
                .atRun(completion.job().run(), completion.job().plannedAt())
                .inDoubt(completion.inDoubtChange())
                .token(completion.freshToken());
        history.log(completion.log());
        boolean finished = completion.next() instanceof Transition.Ended ended && ended.state() == JobState.FINISHED;
        if (job.cancelRequested() && !finished) {
            end(edit, JobState.CANCELLED, completion);
            return CompletionResult.ACCEPTED_CANCELLED;
        }
        if (completion.next() instanceof Transition.Ended ended) {
            end(edit, ended.state(), completion);
            return CompletionResult.ACCEPTED;
        }
        Transition.Again again = (Transition.Again) completion.next();
        if (again.run() != completion.job().run()) {
            edit.atNextRun(again.run(), again.plannedAt());
        }
        unfinished.save(edit.waiting(completion.freshToken())
                .dueAgain(again.dueAt(), again.failures())
                .done());
        return CompletionResult.ACCEPTED;
    }

    private void end(JobEdit edit, JobState state, Completion completion) {
        Job ended = edit.ended(
                        state, new JobEnd(completion.job().calledAt(), completion.endedAt(), completion.failure()))
                .done();
        unfinished.delete(ended.id());
        if (completion.keep() || state == JobState.FAILED) {
            history.save(ended);
        } else {
            history.forgetAttempts(ended.id());
        }
    }

    /**
     * Answers a completion that is sent again. The fresh token on the row, in either table, means that it was applied
     * before.
     */
    private static CompletionResult completeAgain(Completion completion, @Nullable Job job) {
        if (job == null) {
            return CompletionResult.GONE;
        }
        if (job.token() != completion.freshToken()) {
            return CompletionResult.FENCED;
        }
        boolean asSent = completion.next() instanceof Transition.Ended ended
                ? job.state() == ended.state()
                : !job.state().isEnded();
        return asSent ? CompletionResult.ACCEPTED : CompletionResult.ACCEPTED_CANCELLED;
    }

    @Override
    public void settleDoubt(Collection<JobId> ids) {
        synchronized (lock) {
            for (JobId id : ids) {
                Job job = unfinished.find(id);
                Job ended = history.find(id);
                if (job != null) {
                    unfinished.save(JobEdit.of(job).inDoubt(-1).done());
                } else if (ended != null) {
                    history.save(JobEdit.of(ended).inDoubt(-1).done());
                }
            }
        }
    }

    @Override
    public List<DueRow> rescue(List<DueRow> lost, Instant now, long freshToken) {
        synchronized (lock) {
            List<DueRow> waiting = new ArrayList<>();
            for (DueRow row : lost) {
                Job job = unfinished.find(row.id());
                if (job == null || job.token() != row.token()) {
                    continue;
                }
                Job rescued = JobEdit.of(job).waiting(freshToken).rescued(now).done();
                if (job.cancelRequested()) {
                    endCancelled(rescued, now);
                } else {
                    unfinished.save(rescued);
                    waiting.add(rescued.toDueRow());
                }
            }
            return waiting;
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

    private Job existing(JobId id) {
        return Optional.ofNullable(unfinished.find(id)).orElseThrow();
    }
}
