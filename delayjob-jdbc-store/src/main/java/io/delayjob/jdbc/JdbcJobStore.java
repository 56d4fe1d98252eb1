package io.delayjob.jdbc;

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
import io.delayjob.store.Durability;
import io.delayjob.store.FailureGroups;
import io.delayjob.store.HandlerTransactions;
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
import io.delayjob.store.StoreException;
import java.time.Instant;
import java.util.Collection;
import java.util.EnumSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.function.Consumer;
import java.util.function.Function;
import javax.sql.DataSource;
import org.jspecify.annotations.Nullable;
import org.springframework.transaction.PlatformTransactionManager;

/**
 * A job store in the database of the application.
 *
 * <p><strong>Transactions.</strong> Some methods join the caller's transaction on the same {@link DataSource}. So a job
 * is written if and only if the caller's own data is written. After the commit, the row of the job goes to the wheel.
 * These methods join the caller's transaction:
 *
 * <ul>
 *   <li>methods that submit, cancel, withdraw, reschedule, retry, answer or find jobs
 *   <li>the methods {@link #attempts}, {@link #pause}, {@link #resume}, {@link #paused} and {@link #pauses}
 *   <li>the methods {@link InstanceStore#list} and {@link InstanceStore#handlersByInstance}
 *   <li>all methods of {@link #groups()}, except {@link JobGroups#fold} and {@link JobGroups#purge}
 * </ul>
 *
 * <p>In the following cases, each of these methods uses a short transaction of its own:
 *
 * <ul>
 *   <li>The caller has no transaction, or has a transaction on another DataSource.
 *   <li>The call is made within {@code afterCommit}.
 *   <li>Spring's transaction synchronization is not active.
 * </ul>
 *
 * <p>All other methods, such as {@link #claim} and {@link #counts}, never join a transaction. They use their own short
 * READ COMMITTED transactions. Atomic handlers are called in transactions of the store's transaction manager.
 *
 * <p><strong>Connections.</strong> Heartbeats keep one connection checked out until {@link #close()}. An atomic handler
 * keeps one connection while it runs. The first job of a new queue needs a second connection for a short time.
 *
 * <p><strong>Tables.</strong> See {@link JobSchema}. Thread-safe.
 */
public final class JdbcJobStore implements JobStore, AutoCloseable {

    private final JdbcParts parts;
    private final long maxPayloadBytes;
    private final String platform;
    private final String description;
    private final StoreCapabilities capabilities;

    JdbcJobStore(JdbcParts parts, long maxPayloadBytes, String platform, String description, Durability durability) {
        this.parts = parts;
        this.maxPayloadBytes = maxPayloadBytes;
        this.platform = platform;
        this.description = description;
        this.capabilities = new StoreCapabilities(durability, EnumSet.allOf(StoreCapability.class));
    }

    /**
     * Starts building a store.
     *
     * @param dataSource the database that holds the tables
     * @param transactionManager the transaction manager of that DataSource
     */
    public static JdbcJobStoreBuilder builder(DataSource dataSource, PlatformTransactionManager transactionManager) {
        return new JdbcJobStoreBuilder(dataSource, transactionManager);
    }

    @Override
    public List<Scheduled> submit(List<NewJob> jobs, DueSink committed) {
        return parts.submission.submit(jobs, committed);
    }

    @Override
    public Scheduled submitOnce(NewJob job, DueSink committed) {
        return parts.submission.submitOnce(job, committed);
    }

    @Override
    public CancelResult cancel(JobId id, Instant now) {
        return parts.byHand.cancel(id, now);
    }

    @Override
    public CancelResult cancel(String name, String key, Instant now) {
        return parts.byHand.cancel(name, key, now);
    }

    @Override
    public void withdraw(JobId id, Instant now) {
        parts.byHand.withdraw(id, now);
    }

    @Override
    public ChangeResult reschedule(JobId id, Instant due, long freshToken, DueSink committed) {
        return parts.byHand.reschedule(id, due, freshToken, committed);
    }

    @Override
    public ChangeResult retry(JobId id, Instant due, long freshToken, DueSink committed) {
        return parts.byHand.retry(id, due, freshToken, committed);
    }

    @Override
    public AnswerResult answer(JobId id, Function<Job, @Nullable Completion> end, Consumer<Completion> committed) {
        return parts.answers.answer(id, end, committed);
    }

    @Override
    public List<CancelResult> cancelAll(List<JobId> ids, Instant now) {
        return parts.manyByHand.cancel(ids, now);
    }

    @Override
    public Map<JobId, CancelResult> cancelWaiting(List<JobId> ids, Instant now) {
        return parts.manyByHand.cancelWaiting(ids, now);
    }

    @Override
    public Map<JobId, CancelResult> cancelAwaiting(List<JobId> ids, Instant now) {
        return parts.manyByHand.cancelAwaiting(ids, now);
    }

    @Override
    public List<ChangeResult> rescheduleAll(List<JobMove> moves, long freshToken, DueSink committed) {
        return parts.manyByHand.reschedule(moves, freshToken, committed);
    }

    @Override
    public List<ChangeResult> retryAll(List<JobMove> moves, long freshToken, DueSink committed) {
        return parts.manyByHand.retry(moves, freshToken, committed);
    }

    @Override
    public Optional<Job> find(JobId id) {
        return parts.reader.find(id);
    }

    @Override
    public Optional<Job> find(String name, String key) {
        return parts.reader.find(name, key);
    }

    @Override
    public JobPage find(JobQuery query, Instant now) {
        return parts.reader.find(query, now);
    }

    @Override
    public List<AttemptRecord> attempts(JobId id, int limit) {
        return parts.reader.attempts(id, limit);
    }

    @Override
    public boolean pause(Paused what, PauseNote note, Runnable committed) {
        return parts.notices.pause(what, note, committed);
    }

    @Override
    public boolean resume(Paused what, Runnable committed) {
        return parts.notices.resume(what, committed);
    }

    @Override
    public Paused paused() {
        return parts.notices.paused();
    }

    @Override
    public List<PausedName> pauses() {
        return parts.notices.pauses();
    }

    @Override
    public DueCounts due(DueSpan span) {
        return parts.timetable.due(span);
    }

    @Override
    public FailureGroups failures(FailureGroups.Span span) {
        return parts.deadLetters.failures(span);
    }

    @Override
    public JobCounts counts(Instant now) {
        return parts.counter.counts(now);
    }

    @Override
    public StoreCapabilities capabilities() {
        return capabilities;
    }

    @Override
    public long maxPayloadBytes() {
        return maxPayloadBytes;
    }

    @Override
    public long clockMicros() {
        return parts.instances.clockMicros();
    }

    @Override
    public Map<Partition, Instant> partitionsInUse() {
        return parts.duePages.partitionsInUse();
    }

    @Override
    public DuePage<DueRow> dueAfter(Collection<PartitionCursor> cursors, Instant until, int limit) {
        return parts.duePages.dueAfter(cursors, until, limit);
    }

    @Override
    public DuePage<DueRow> overdue(
            Collection<PartitionCursor> cursors, Instant until, Set<String> names, int limit, int lookAt) {
        return parts.duePages.overdue(cursors, until, names, limit, lookAt);
    }

    @Override
    public List<Job> claim(List<DueRow> rows, long owner, long freshToken, Instant now) {
        return parts.claims.claim(rows, owner, freshToken, now);
    }

    @Override
    public List<DueRow> release(List<DueRow> rows, long claimToken, long freshToken, Instant now) {
        return parts.claims.release(rows, claimToken, freshToken, now);
    }

    @Override
    public List<CompletionResult> complete(List<Completion> ends) {
        return parts.completions.complete(ends);
    }

    @Override
    public List<JobId> settleDoubt(Collection<JobId> ids) {
        return parts.completions.settleDoubt(ids);
    }

    @Override
    public DuePage<ClaimedRow> claimedByOthers(
            Collection<PartitionCursor> cursors, Instant until, Set<Long> known, int limit) {
        return parts.duePages.claimedByOthers(cursors, until, known, limit);
    }

    @Override
    public List<DueRow> rescue(List<DueRow> lost, Instant now, long freshToken) {
        return parts.claims.rescue(lost, now, freshToken);
    }

    @Override
    public int purgeHistory(JobState state, Instant before, int limit) {
        return parts.retention.purge(state, before, limit);
    }

    @Override
    public int purgeKept(Instant now, int limit) {
        return parts.retention.purgeKept(now, limit);
    }

    @Override
    public void recordMinutes(long owner, List<MinuteRow> rows) {
        parts.minutes.record(owner, rows);
    }

    @Override
    public List<MinuteSum> minutes(MinuteSpan span) {
        return parts.minutes.sums(span);
    }

    @Override
    public boolean purgeMinutes(Instant before) {
        return parts.minutes.purge(before);
    }

    @Override
    public JobGroups groups() {
        return parts.groups;
    }

    @Override
    public HandlerTransactions handlerTransactions() {
        return parts.atomicCompletions;
    }

    @Override
    public String identity(String proposed) {
        return parts.identity.orElse(proposed);
    }

    @Override
    public InstanceStore instances() {
        return parts.instances;
    }

    /** Returns Spring Boot's name of the database: {@code h2}, {@code mariadb}, {@code mysql} or {@code postgresql}. */
    public String platform() {
        return platform;
    }

    /**
     * Checks that the tables exist and have every column of the script in the jar.
     *
     * @throws StoreException if a table or a column is missing. The exception is {@linkplain
     *     StoreException#isTransient() transient} if the database does not answer
     */
    public void checkTables() {
        parts.tables.check();
    }

    /**
     * Lets the database parse every statement of the dialect without running it. If the dialect was made for this
     * database, the method checks nothing. The tables must exist.
     *
     * @throws IllegalArgumentException if the database refuses a statement; the message quotes the first refused
     *     statement
     * @throws StoreException if the database does not answer
     */
    public void checkDialect() {
        parts.dialectCheck.check();
    }

    /**
     * Tells whether the caller has an open transaction that the store cannot join, because it is on another DataSource.
     * During the commit of this transaction, the result is {@code false}.
     */
    public boolean isBesideCallersTransaction() {
        return parts.transactions.areBesideCallers();
    }

    /**
     * Returns the database with its version, and the prefix of the tables. The text contains no address and no user.
     */
    @Override
    public String toString() {
        return description;
    }

    /**
     * Gives the connection of the heartbeats back to the pool. The store can still be used: the next heartbeat takes a
     * new connection.
     */
    @Override
    public void close() {
        parts.instances.close();
    }
}
