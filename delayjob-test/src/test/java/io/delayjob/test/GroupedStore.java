package io.delayjob.test;

import static org.assertj.core.api.Assertions.assertThat;

import io.delayjob.job.CancelResult;
import io.delayjob.job.ChangeResult;
import io.delayjob.job.Completion;
import io.delayjob.job.DueRow;
import io.delayjob.job.Job;
import io.delayjob.job.JobId;
import io.delayjob.job.JobMove;
import io.delayjob.job.NewJob;
import io.delayjob.job.Partition;
import io.delayjob.job.Scheduled;
import io.delayjob.store.ClaimedRow;
import io.delayjob.store.CompletionResult;
import io.delayjob.store.DuePage;
import io.delayjob.store.DueSink;
import io.delayjob.store.JobPlacement;
import io.delayjob.store.JobStore;
import io.delayjob.store.PartitionCursor;
import io.delayjob.store.StoreCapabilities;
import io.delayjob.store.StoreCapability;
import io.delayjob.store.StoreException;
import java.nio.charset.StandardCharsets;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Collection;
import java.util.EnumSet;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.UUID;
import java.util.function.Function;
import java.util.zip.CRC32;

/**
 * A store with several nodes. The index of the partition selects the node. Ten bits of each id contain this index, and
 * the partition of a job with a key is computed from the key. The store refuses batches for two nodes, and its pages
 * are short.
 */
final class GroupedStore extends ForwardingStore implements JobPlacement {

    private static final int NODES = 4;

    /** Maximum number of rows of a partition that one page contains or reads, even if more rows are requested. */
    private static final int SHORT = 3;

    private static final int INDEX_BITS = Partition.MAX_PER_QUEUE - 1;

    final Set<Integer> asked = new HashSet<>();

    GroupedStore(JobStore target) {
        super(target);
    }

    @Override
    public StoreCapabilities capabilities() {
        EnumSet<StoreCapability> has = EnumSet.noneOf(StoreCapability.class);
        has.addAll(target.capabilities().has());
        has.remove(StoreCapability.BATCHES_ACROSS_GROUPS);
        has.remove(StoreCapability.GIVEN_IDS);
        return new StoreCapabilities(target.capabilities().durability(), has);
    }

    @Override
    public Scheduled submitOnce(NewJob job, DueSink committed) {
        throw StoreException.refused("This store writes the node into each id.");
    }

    @Override
    public JobPlacement placement() {
        return this;
    }

    @Override
    public NewJob place(NewJob job) {
        int index = job.key() == null ? job.partition().index() : indexOf(job.name() + '\n' + job.key());
        UUID id = job.id().value();
        JobId placed =
                new JobId(new UUID(id.getMostSignificantBits() & ~INDEX_BITS | index, id.getLeastSignificantBits()));
        return job.at(placed, new Partition(job.partition().queue(), index));
    }

    private static int indexOf(String text) {
        CRC32 sum = new CRC32();
        sum.update(text.getBytes(StandardCharsets.UTF_8));
        return (int) (sum.getValue() % 8);
    }

    @Override
    public int groupOf(Partition partition) {
        return partition.index() % NODES;
    }

    /** The first page of every partition is empty, and only has the cursor of the next page. */
    @Override
    public DuePage<DueRow> dueAfter(Collection<PartitionCursor> cursors, Instant until, int limit) {
        return afterAnEmptyPage(cursors, from -> target.dueAfter(from, until, Math.min(limit, SHORT)));
    }

    @Override
    public DuePage<DueRow> overdue(
            Collection<PartitionCursor> cursors, Instant until, Set<String> names, int limit, int lookAt) {
        return afterAnEmptyPage(
                cursors, from -> target.overdue(from, until, names, Math.min(limit, SHORT), Math.min(lookAt, SHORT)));
    }

    @Override
    public DuePage<ClaimedRow> claimedByOthers(
            Collection<PartitionCursor> cursors, Instant until, Set<Long> known, int limit) {
        return afterAnEmptyPage(cursors, from -> target.claimedByOthers(from, until, known, Math.min(limit, SHORT)));
    }

    private static <R> DuePage<R> afterAnEmptyPage(
            Collection<PartitionCursor> cursors, Function<List<PartitionCursor>, DuePage<R>> page) {
        List<PartitionCursor> begun = new ArrayList<>();
        List<PartitionCursor> next = new ArrayList<>();
        for (PartitionCursor cursor : cursors) {
            if (cursor.equals(PartitionCursor.start(cursor.partition()))) {
                next.add(PartitionCursor.behind(cursor.partition(), Long.MIN_VALUE));
            } else {
                begun.add(cursor);
            }
        }
        DuePage<R> read = page.apply(begun);
        next.addAll(read.next());
        return new DuePage<>(read.rows(), next);
    }

    @Override
    public List<Job> claim(List<DueRow> rows, long owner, long freshToken, Instant now) {
        check(rows, DueRow::partition);
        return target.claim(rows, owner, freshToken, now);
    }

    @Override
    public List<DueRow> release(List<DueRow> rows, long claimToken, long freshToken, Instant now) {
        check(rows, DueRow::partition);
        return target.release(rows, claimToken, freshToken, now);
    }

    @Override
    public List<CompletionResult> complete(List<Completion> completions) {
        check(completions, completion -> completion.job().partition());
        return target.complete(completions);
    }

    @Override
    public List<DueRow> rescue(List<DueRow> lost, Instant now, long freshToken) {
        check(lost, DueRow::partition);
        return target.rescue(lost, now, freshToken);
    }

    @Override
    public List<CancelResult> cancelAll(List<JobId> ids, Instant now) {
        checkIds(ids);
        return target.cancelAll(ids, now);
    }

    @Override
    public Map<JobId, CancelResult> cancelWaiting(List<JobId> ids, Instant now) {
        checkIds(ids);
        return target.cancelWaiting(ids, now);
    }

    @Override
    public Map<JobId, CancelResult> cancelAwaiting(List<JobId> ids, Instant now) {
        checkIds(ids);
        return target.cancelAwaiting(ids, now);
    }

    @Override
    public List<ChangeResult> rescheduleAll(List<JobMove> moves, long freshToken, DueSink committed) {
        checkIds(moves.stream().map(JobMove::id).toList());
        return target.rescheduleAll(moves, freshToken, committed);
    }

    @Override
    public List<ChangeResult> retryAll(List<JobMove> moves, long freshToken, DueSink committed) {
        checkIds(moves.stream().map(JobMove::id).toList());
        return target.retryAll(moves, freshToken, committed);
    }

    private void checkIds(List<JobId> ids) {
        check(ids.stream().flatMap(id -> target.find(id).stream()).toList(), Job::partition);
    }

    private <T> void check(List<T> rows, Function<T, Partition> partition) {
        List<Integer> nodes =
                rows.stream().map(partition).map(this::groupOf).distinct().toList();
        assertThat(nodes).as("nodes of one batch").hasSizeLessThan(2);
        asked.addAll(nodes);
    }
}
