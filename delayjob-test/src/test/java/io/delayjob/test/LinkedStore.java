package io.delayjob.test;

import io.delayjob.job.AnswerResult;
import io.delayjob.job.AttemptRecord;
import io.delayjob.job.CancelResult;
import io.delayjob.job.ChangeResult;
import io.delayjob.job.Completion;
import io.delayjob.job.DueRow;
import io.delayjob.job.GroupStatus;
import io.delayjob.job.Job;
import io.delayjob.job.JobId;
import io.delayjob.job.JobState;
import io.delayjob.job.NewJob;
import io.delayjob.job.Partition;
import io.delayjob.job.PauseNote;
import io.delayjob.job.Paused;
import io.delayjob.job.PausedName;
import io.delayjob.job.Scheduled;
import io.delayjob.lease.Lease;
import io.delayjob.lease.LeaseProvider;
import io.delayjob.store.ClaimedRow;
import io.delayjob.store.ClusterView;
import io.delayjob.store.CompletionResult;
import io.delayjob.store.DueCounts;
import io.delayjob.store.DuePage;
import io.delayjob.store.DueSink;
import io.delayjob.store.DueSpan;
import io.delayjob.store.FailureGroups;
import io.delayjob.store.InstanceRow;
import io.delayjob.store.InstanceStore;
import io.delayjob.store.JobCounts;
import io.delayjob.store.JobGroups;
import io.delayjob.store.JobPage;
import io.delayjob.store.JobPlacement;
import io.delayjob.store.JobQuery;
import io.delayjob.store.JobStore;
import io.delayjob.store.PartitionCursor;
import io.delayjob.store.StoreCapabilities;
import io.delayjob.store.Vitals;
import io.delayjob.test.Link.Call;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Collection;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalLong;
import java.util.Set;
import java.util.function.Consumer;
import java.util.function.Function;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/** The store, its register and its leases, as a process uses them through its link. */
final class LinkedStore implements JobStore {

    private final Link link;
    private final JobStore store;
    private final InstanceStore instances;

    LinkedStore(Link link, JobStore store) {
        this.link = link;
        this.store = store;
        this.instances = new LinkedInstances(store.instances());
    }

    LeaseProvider leases(LeaseProvider provider) {
        return (name, duration) ->
                link.pass(Call.LEASES, () -> provider.acquire(name, duration)).map(LinkedLease::new);
    }

    /** Makes a write. A caller that gets no reply passes no rows on. */
    private <T> T write(DueSink committed, Function<DueSink, T> call) {
        List<DueRow> rows = new ArrayList<>();
        T answer = link.pass(Call.WRITES, () -> call.apply(rows::addAll));
        if (!rows.isEmpty()) {
            committed.accept(rows);
        }
        return answer;
    }

    @Override
    public List<Scheduled> submit(List<NewJob> jobs, DueSink committed) {
        return write(committed, sink -> store.submit(jobs, sink));
    }

    @Override
    public Scheduled submitOnce(NewJob job, DueSink committed) {
        return write(committed, sink -> store.submitOnce(job, sink));
    }

    @Override
    public CancelResult cancel(JobId id, Instant now) {
        return link.pass(Call.WRITES, () -> store.cancel(id, now));
    }

    @Override
    public CancelResult cancel(String name, String key, Instant now) {
        return link.pass(Call.WRITES, () -> store.cancel(name, key, now));
    }

    @Override
    public void withdraw(JobId id, Instant now) {
        write(() -> store.withdraw(id, now));
    }

    @Override
    public Map<JobId, CancelResult> cancelWaiting(List<JobId> ids, Instant now) {
        return link.pass(Call.WRITES, () -> store.cancelWaiting(ids, now));
    }

    @Override
    public Map<JobId, CancelResult> cancelAwaiting(List<JobId> ids, Instant now) {
        return link.pass(Call.WRITES, () -> store.cancelAwaiting(ids, now));
    }

    @Override
    public ChangeResult reschedule(JobId id, Instant due, long freshToken, DueSink committed) {
        return write(committed, sink -> store.reschedule(id, due, freshToken, sink));
    }

    @Override
    public ChangeResult retry(JobId id, Instant due, long freshToken, DueSink committed) {
        return write(committed, sink -> store.retry(id, due, freshToken, sink));
    }

    @Override
    public AnswerResult answer(JobId id, Function<Job, Completion> end, Consumer<Completion> committed) {
        List<Completion> written = new ArrayList<>();
        AnswerResult result = link.pass(Call.WRITES, () -> store.answer(id, end, written::add));
        written.forEach(committed);
        return result;
    }

    @Override
    public Optional<Job> find(String name, String key) {
        return link.pass(Call.READS, () -> store.find(name, key));
    }

    @Override
    public Optional<Job> find(JobId id) {
        return link.pass(Call.READS, () -> store.find(id));
    }

    @Override
    public JobPage find(JobQuery query, Instant now) {
        return link.pass(Call.READS, () -> store.find(query, now));
    }

    @Override
    public List<AttemptRecord> attempts(JobId id, int limit) {
        return link.pass(Call.READS, () -> store.attempts(id, limit));
    }

    @Override
    public boolean pause(Paused what, PauseNote note, Runnable committed) {
        return link.pass(Call.WRITES, () -> store.pause(what, note, committed));
    }

    @Override
    public boolean resume(Paused what, Runnable committed) {
        return link.pass(Call.WRITES, () -> store.resume(what, committed));
    }

    @Override
    public Paused paused() {
        return link.pass(Call.READS, store::paused);
    }

    @Override
    public List<PausedName> pauses() {
        return link.pass(Call.READS, store::pauses);
    }

    @Override
    public DueCounts due(DueSpan span) {
        return link.pass(Call.READS, () -> store.due(span));
    }

    @Override
    public FailureGroups failures(FailureGroups.Span span) {
        return link.pass(Call.READS, () -> store.failures(span));
    }

    @Override
    public JobCounts counts(Instant now) {
        return link.pass(Call.READS, () -> store.counts(now));
    }

    /** This value is a setting, so no call passes through the link. */
    @Override
    public StoreCapabilities capabilities() {
        return store.capabilities();
    }

    @Override
    public JobPlacement placement() {
        return store.placement();
    }

    @Override
    public long maxPayloadBytes() {
        return store.maxPayloadBytes();
    }

    @Override
    public long clockMicros() {
        return link.pass(Call.READS, store::clockMicros);
    }

    @Override
    public Map<Partition, Instant> partitionsInUse() {
        return link.pass(Call.READS, store::partitionsInUse);
    }

    @Override
    public DuePage<DueRow> dueAfter(Collection<PartitionCursor> cursors, Instant until, int limit) {
        return link.pass(Call.READS, () -> store.dueAfter(cursors, until, limit));
    }

    @Override
    public DuePage<DueRow> overdue(
            Collection<PartitionCursor> cursors, Instant until, Set<String> names, int limit, int lookAt) {
        return link.pass(Call.READS, () -> store.overdue(cursors, until, names, limit, lookAt));
    }

    @Override
    public List<Job> claim(List<DueRow> rows, long owner, long freshToken, Instant now) {
        return link.pass(Call.WRITES, () -> store.claim(rows, owner, freshToken, now));
    }

    @Override
    public List<DueRow> release(List<DueRow> rows, long claimToken, long freshToken, Instant now) {
        return link.pass(Call.WRITES, () -> store.release(rows, claimToken, freshToken, now));
    }

    @Override
    public List<CompletionResult> complete(List<Completion> completions) {
        return link.pass(Call.WRITES, () -> store.complete(completions));
    }

    @Override
    public List<JobId> settleDoubt(Collection<JobId> ids) {
        return link.pass(Call.WRITES, () -> store.settleDoubt(ids));
    }

    @Override
    public DuePage<ClaimedRow> claimedByOthers(
            Collection<PartitionCursor> cursors, Instant until, Set<Long> known, int limit) {
        return link.pass(Call.READS, () -> store.claimedByOthers(cursors, until, known, limit));
    }

    @Override
    public List<DueRow> rescue(List<DueRow> lost, Instant now, long freshToken) {
        return link.pass(Call.WRITES, () -> store.rescue(lost, now, freshToken));
    }

    @Override
    public int purgeHistory(JobState state, Instant before, int limit) {
        return link.pass(Call.WRITES, () -> store.purgeHistory(state, before, limit));
    }

    @Override
    public int purgeKept(Instant now, int limit) {
        return link.pass(Call.WRITES, () -> store.purgeKept(now, limit));
    }

    @Override
    public String identity(String proposed) {
        return link.pass(Call.LEASES, () -> store.identity(proposed));
    }

    @Override
    public InstanceStore instances() {
        return instances;
    }

    @Override
    public JobGroups groups() {
        return new ForwardingGroups(store.groups()) {
            @Override
            <T> T pass(Supplier<T> call) {
                return link.pass(Call.WRITES, call::get);
            }

            @Override
            public boolean fold(Instant now, long freshToken, DueSink committed, Consumer<GroupStatus> ended) {
                List<GroupStatus> over = new ArrayList<>();
                boolean more = write(committed, sink -> target.fold(now, freshToken, sink, over::add));
                over.forEach(ended);
                return more;
            }
        };
    }

    private void write(Runnable call) {
        link.pass(Call.WRITES, () -> {
            call.run();
            return true;
        });
    }

    private final class LinkedInstances implements InstanceStore {

        private final InstanceStore register;

        LinkedInstances(InstanceStore register) {
            this.register = register;
        }

        @Override
        public long register(String incarnation, Set<String> queues, Set<Set<String>> handlers) {
            return link.pass(Call.WRITES, () -> register.register(incarnation, queues, handlers));
        }

        @Override
        public OptionalLong beat(long number, boolean stopping, @Nullable Vitals vitals) {
            return link.pass(Call.WRITES, () -> register.beat(number, stopping, vitals));
        }

        @Override
        public ClusterView look(long number) {
            return link.pass(Call.READS, () -> register.look(number));
        }

        @Override
        public List<InstanceRow> list() {
            return link.pass(Call.READS, register::list);
        }

        @Override
        public Map<Long, Set<Set<String>>> handlersByInstance() {
            return link.pass(Call.READS, register::handlersByInstance);
        }

        @Override
        public void forgetCancellations(long number, Collection<JobId> jobs) {
            write(() -> register.forgetCancellations(number, jobs));
        }

        @Override
        public void acknowledgePauses(long number, long fingerprint) {
            write(() -> register.acknowledgePauses(number, fingerprint));
        }

        @Override
        public boolean remove(long number, long beats) {
            return link.pass(Call.WRITES, () -> register.remove(number, beats));
        }

        @Override
        public void deregister(long number) {
            write(() -> register.deregister(number));
        }
    }

    private final class LinkedLease implements Lease {

        private final Lease lease;

        LinkedLease(Lease lease) {
            this.lease = lease;
        }

        @Override
        public Optional<Lease> extend(Duration duration) {
            return link.pass(Call.LEASES, () -> lease.extend(duration)).map(LinkedLease::new);
        }

        @Override
        public void release() {
            link.pass(Call.LEASES, () -> {
                lease.release();
                return true;
            });
        }
    }
}
