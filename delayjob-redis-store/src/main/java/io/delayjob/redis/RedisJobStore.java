package io.delayjob.redis;

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
import io.delayjob.store.ClaimedRow;
import io.delayjob.store.CompletionResult;
import io.delayjob.store.DueCounts;
import io.delayjob.store.DuePage;
import io.delayjob.store.DueSink;
import io.delayjob.store.DueSpan;
import io.delayjob.store.FailureGroups;
import io.delayjob.store.InstanceStore;
import io.delayjob.store.JobCounts;
import io.delayjob.store.JobGroups;
import io.delayjob.store.JobPage;
import io.delayjob.store.JobPlacement;
import io.delayjob.store.JobQuery;
import io.delayjob.store.JobStore;
import io.delayjob.store.MinuteRow;
import io.delayjob.store.MinuteSpan;
import io.delayjob.store.MinuteSum;
import io.delayjob.store.PartitionCursor;
import io.delayjob.store.StoreCapabilities;
import io.lettuce.core.RedisClient;
import io.lettuce.core.cluster.RedisClusterClient;
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
 * Keeps jobs in Redis or Valkey: on one server, behind Sentinel, or in a cluster. No call joins the caller's
 * transaction. A failover of Redis may lose the latest acknowledged writes, because the replication of Redis is
 * asynchronous.
 *
 * <p>The store opens and closes its own connections. The client belongs to the caller. A call waits for the server's
 * answer up to a time limit. After that, the call throws a
 * {@linkplain io.delayjob.store.StoreException#isTransient() transient} exception. Thread-safe.
 */
public final class RedisJobStore implements JobStore, AutoCloseable {

    private final RedisLink work;
    private final RedisLink heartbeats;
    private final Writes writes;
    private final long maxPayloadBytes;
    private final StoreCapabilities capabilities;
    private final JobPlacement placement;
    private final StoreSettings settings;
    private final RowReader reader;
    private final NewRows newRows;
    private final RedisChanges changes;
    private final RedisQueries queries;
    private final RedisNumbers numbers;
    private final RedisDuePages duePages;
    private final ClaimScript claims;
    private final RedisTransitions transitions;
    private final RedisRetention retention;
    private final RedisMinutes minutes;
    private final RedisGroups groups;
    private final RedisPauses pauses;
    private final RedisInstances instances;
    private final String name;

    RedisJobStore(RedisLink work, RedisLink heartbeats, Writes writes, Keyspace keys, long maxPayloadBytes) {
        this.work = work;
        this.heartbeats = heartbeats;
        this.writes = writes;
        this.maxPayloadBytes = maxPayloadBytes;
        this.settings = new StoreSettings(work, keys);
        settings.check(keys);
        this.capabilities = RedisPromises.of(keys, writes);
        this.placement = new RedisPlacement(keys);
        RowFormat format = new RowFormat(maxPayloadBytes);
        SortedEntries entries = new SortedEntries(work, keys);
        RowWriter writer = new RowWriter(writes, keys, format);
        UnreadableRows unreadable = new UnreadableRows();
        this.reader = new RowReader(work, keys, format, unreadable);
        GroupRows groupRows = new GroupRows(work, writes, keys);
        GroupNumbers groupNumbers = new GroupNumbers(work, writes, keys);
        GroupGate gate = new GroupGate(groupRows, groupNumbers);
        this.groups = new RedisGroups(
                groupRows, groupNumbers, gate, new GroupFolder(keys, groupRows, groupNumbers, gate, writer));
        this.newRows = new NewRows(keys, reader, writer, gate);
        this.pauses = new RedisPauses(work, writes, keys);
        this.instances = new RedisInstances(heartbeats, writes, keys, pauses);
        JudgedChanges judged = new JudgedChanges(reader, writer);
        this.changes =
                new RedisChanges(keys, reader, judged, new RedisInstances(work, writes, keys, pauses), writes, gate);
        this.transitions = new RedisTransitions(judged, writer);
        this.claims = new ClaimScript(writes, keys, reader);
        this.duePages = new RedisDuePages(work, keys, format, reader, entries, unreadable);
        this.queries = new RedisQueries(work, keys, reader, entries);
        this.numbers = new RedisNumbers(work, keys, format, reader, entries, unreadable);
        this.retention = new RedisRetention(work, keys, reader, writer);
        this.minutes = new RedisMinutes(work, keys);
        this.name = "%s, namespace %s, %d %s"
                .formatted(
                        RedisPromises.server(work),
                        keys.namespace(),
                        keys.slots(),
                        keys.slots() == 1 ? "slot" : "slots");
    }

    /**
     * Returns a builder of a store on one server, or on the master that Sentinel reports. The client must already have
     * the address of the server. The builder sets the client's options, so that no command is sent twice. If the
     * application needs other options, give the store a separate client.
     */
    public static RedisJobStoreBuilder builder(RedisClient client) {
        return new RedisJobStoreBuilder(client);
    }

    /**
     * Returns a builder of a store in a cluster. The builder sets the client's options as {@link #builder(RedisClient)}
     * does. The builder also makes the client look for new masters every 5 seconds. If the client already has a period
     * for this search, the client keeps this period.
     */
    public static RedisJobStoreBuilder builder(RedisClusterClient client) {
        return new RedisJobStoreBuilder(client);
    }

    @Override
    public String toString() {
        return name;
    }

    @Override
    public void close() {
        heartbeats.close();
        writes.close();
        work.close();
    }

    @Override
    public StoreCapabilities capabilities() {
        return capabilities;
    }

    @Override
    public JobPlacement placement() {
        return placement;
    }

    @Override
    public long maxPayloadBytes() {
        return maxPayloadBytes;
    }

    @Override
    public List<Scheduled> submit(List<NewJob> jobs, DueSink committed) {
        return newRows.submit(jobs, committed);
    }

    @Override
    public Scheduled submitOnce(NewJob job, DueSink committed) {
        return newRows.submitOnce(job, committed);
    }

    @Override
    public CancelResult cancel(JobId id, Instant now) {
        return changes.cancel(List.of(id), now).get(0);
    }

    @Override
    public CancelResult cancel(String handler, String key, Instant now) {
        return changes.cancel(handler, key, now);
    }

    @Override
    public List<CancelResult> cancelAll(List<JobId> ids, Instant now) {
        return changes.cancel(ids, now);
    }

    @Override
    public Map<JobId, CancelResult> cancelWaiting(List<JobId> ids, Instant now) {
        return changes.cancel(ids, job -> !job.isUnderWay(), now);
    }

    @Override
    public Map<JobId, CancelResult> cancelAwaiting(List<JobId> ids, Instant now) {
        return changes.cancel(ids, Job::awaiting, now);
    }

    @Override
    public void withdraw(JobId id, Instant now) {
        changes.withdraw(id, now);
    }

    @Override
    public ChangeResult reschedule(JobId id, Instant due, long freshToken, DueSink committed) {
        return rescheduleAll(List.of(new JobMove(id, due)), freshToken, committed)
                .get(0);
    }

    @Override
    public List<ChangeResult> rescheduleAll(List<JobMove> moves, long freshToken, DueSink committed) {
        return changes.reschedule(moves, freshToken, committed);
    }

    @Override
    public ChangeResult retry(JobId id, Instant due, long freshToken, DueSink committed) {
        return retryAll(List.of(new JobMove(id, due)), freshToken, committed).get(0);
    }

    @Override
    public List<ChangeResult> retryAll(List<JobMove> moves, long freshToken, DueSink committed) {
        return changes.retry(moves, freshToken, committed);
    }

    @Override
    public AnswerResult answer(JobId id, Function<Job, @Nullable Completion> end, Consumer<Completion> committed) {
        return changes.answer(id, end, committed);
    }

    @Override
    public Optional<Job> find(JobId id) {
        return Optional.ofNullable(reader.find(id));
    }

    @Override
    public Optional<Job> find(String handler, String key) {
        return Optional.ofNullable(queries.find(handler, key));
    }

    @Override
    public JobPage find(JobQuery query, Instant now) {
        return queries.find(query, now);
    }

    @Override
    public List<AttemptRecord> attempts(JobId id, int limit) {
        return queries.attempts(id, limit);
    }

    @Override
    public JobCounts counts(Instant now) {
        return numbers.counts(now);
    }

    @Override
    public DueCounts due(DueSpan span) {
        return numbers.due(span);
    }

    @Override
    public FailureGroups failures(FailureGroups.Span span) {
        return numbers.failures(span);
    }

    @Override
    public Map<Partition, Instant> partitionsInUse() {
        return duePages.partitionsInUse();
    }

    @Override
    public DuePage<DueRow> dueAfter(Collection<PartitionCursor> cursors, Instant until, int limit) {
        return duePages.waiting(cursors, until, limit);
    }

    @Override
    public DuePage<DueRow> overdue(
            Collection<PartitionCursor> cursors, Instant until, Set<String> names, int limit, int lookAt) {
        return duePages.waiting(cursors, until, names, limit, lookAt);
    }

    @Override
    public DuePage<ClaimedRow> claimedByOthers(
            Collection<PartitionCursor> cursors, Instant until, Set<Long> known, int limit) {
        return duePages.running(cursors, until, known, limit);
    }

    @Override
    public List<Job> claim(List<DueRow> rows, long owner, long freshToken, Instant now) {
        return claims.claim(rows, owner, freshToken, now);
    }

    @Override
    public List<DueRow> release(List<DueRow> rows, long claimToken, long freshToken, Instant now) {
        transitions.release(rows, claimToken, freshToken, now);
        return List.of();
    }

    @Override
    public List<CompletionResult> complete(List<Completion> completions) {
        return transitions.complete(completions);
    }

    @Override
    public List<JobId> settleDoubt(Collection<JobId> ids) {
        transitions.settleDoubt(ids);
        return List.of();
    }

    @Override
    public List<DueRow> rescue(List<DueRow> lost, Instant now, long freshToken) {
        return transitions.rescue(lost, now, freshToken);
    }

    @Override
    public int purgeHistory(JobState state, Instant before, int limit) {
        return retention.purge(state, before, limit);
    }

    @Override
    public int purgeKept(Instant now, int limit) {
        return retention.purgeKept(now, limit);
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
    public JobGroups groups() {
        return groups;
    }

    @Override
    public InstanceStore instances() {
        return instances;
    }

    @Override
    public boolean pause(Paused what, PauseNote note, Runnable committed) {
        boolean changed = pauses.add(what, note);
        committed.run();
        return changed;
    }

    @Override
    public boolean resume(Paused what, Runnable committed) {
        boolean changed = pauses.remove(what);
        committed.run();
        return changed;
    }

    @Override
    public Paused paused() {
        return pauses.paused();
    }

    @Override
    public List<PausedName> pauses() {
        return pauses.all();
    }

    @Override
    public long clockMicros() {
        return instances.clockMicros();
    }

    @Override
    public String identity(String proposed) {
        return settings.fixed("identity", proposed);
    }
}
