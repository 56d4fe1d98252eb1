package io.delayjob.redis;

import io.delayjob.job.DueRow;
import io.delayjob.job.GroupCounts;
import io.delayjob.job.GroupJob;
import io.delayjob.job.GroupStatus;
import io.delayjob.job.Job;
import io.delayjob.store.DueSink;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Set;
import java.util.UUID;
import java.util.function.Consumer;
import java.util.function.Function;
import java.util.function.Predicate;
import java.util.function.UnaryOperator;
import java.util.stream.IntStream;
import org.jspecify.annotations.Nullable;

/**
 * If a group has changed, this class adds up the group's numbers. This class also lets groups end.
 *
 * <p>A script can use only one slot, but a group has numbers in several slots. So before a group ends, an instance
 * seals the group in each slot, and reads the group's numbers again. No member joins a sealed group, except the next
 * job of a chain. When a job of a chain ends, the same step writes the next job of the chain. So all members have ended
 * when the number of ended members is equal to the number of begun members. The group's row is then changed, unless
 * another call has changed it since the seal. In the last step, the job that follows the group is written. A mark
 * ensures that this job is written only once. If an instance dies between two steps, the next pass takes the remaining
 * steps.
 *
 * <p>Each change of a slot's numbers leaves a note of the group in that slot. A change of the group's row leaves a
 * separate note for the row. A pass reads the numbers slot by slot. So two simultaneous passes may each miss the end of
 * a different member. But the member that ends last leaves a note, and this note stays. So another pass reads the group
 * again. The following rules ensure this:
 *
 * <ul>
 *   <li>A pass removes a slot's note only if the slot's numbers have not changed since the pass read them.
 *   <li>A pass reads the group's row first, and then the numbers. Before the pass removes notes, it compares the
 *   present version of the row with the version that it has read. So the pass knows whether the group was closed before
 *   the last end, and whether a job waits for a failure. If the group is closed later, this change leaves a new note
 *   for the row.
 *   <li>After this comparison, the pass again reads the numbers of one slot that has unfinished members. If all members
 *   of the group have ended meanwhile, these numbers have changed.
 * </ul>
 *
 * <p>If the group's row has changed, the notes stay in all slots until the next pass. The notes also stay if the
 * numbers of this one slot have changed.
 *
 * <p>Each pass takes changed groups at random, so busy groups do not delay others. Thread-safe.
 */
final class GroupFolder {

    /** Maximum number of hashes that a pass reads: one for each group in each slot. */
    private static final int MAX_HASHES = 8_192;

    private final Keyspace keys;
    private final GroupRows rows;
    private final GroupNumbers numbers;
    private final GroupGate gate;
    private final RowWriter writer;

    GroupFolder(Keyspace keys, GroupRows rows, GroupNumbers numbers, GroupGate gate, RowWriter writer) {
        this.keys = keys;
        this.rows = rows;
        this.numbers = numbers;
        this.gate = gate;
        this.writer = writer;
    }

    private record Pass(Instant now, long freshToken, DueSink committed, Consumer<GroupStatus> ended) {}

    boolean fold(Instant now, long freshToken, DueSink committed, Consumer<GroupStatus> ended) {
        Pass pass = new Pass(now, freshToken, committed.asOfNow(), ended);
        int limit = Math.max(1, MAX_HASHES / keys.slots());
        Map<UUID, Set<Integer>> changed = numbers.changed(limit);
        List<UUID> changedRows = rows.changed(limit);
        changedRows.forEach(group -> changed.putIfAbsent(group, Set.of()));
        // The token, and so the order of the groups, differs from pass to pass.
        List<UUID> groups = changed.keySet().stream()
                .sorted(Comparator.comparingLong(group -> group.getLeastSignificantBits() ^ freshToken))
                .limit(limit)
                .toList();
        Halves halves = new Halves();
        halves.run(groups, part -> fold(part, changed, pass));
        halves.end();
        return changed.size() > groups.size() || changedRows.size() == limit;
    }

    private void fold(List<UUID> groups, Map<UUID, Set<Integer>> changed, Pass pass) {
        Map<UUID, GroupRow> stored = rows.read(groups);
        // A group without a row may have numbers, for example if a member ended after its cancelled group was deleted.
        gate.deleteRest(
                groups.stream().filter(group -> !stored.containsKey(group)).toList());
        Map<UUID, List<GroupCounts>> read = numbers.read(List.copyOf(stored.keySet()));
        Map<UUID, Set<Integer>> settled = new HashMap<>();
        for (GroupRow group : rows.settle(advanced(List.copyOf(stored.values()), read, pass))) {
            settled.put(group.id(), Objects.requireNonNull(changed.get(group.id())));
        }
        numbers.settle(settled, read);
    }

    /**
     * If another call has changed a group's row meanwhile, the result does not contain this group. The next pass must
     * repeat the steps for the group.
     */
    private List<GroupRow> advanced(List<GroupRow> stored, Map<UUID, List<GroupCounts>> read, Pass pass) {
        Function<GroupRow, GroupCounts> counts =
                group -> group.countsOr(GroupNumbers.sum(Objects.requireNonNull(read.get(group.id()))));
        List<GroupRow> told =
                step(stored, group -> group.isFailureToTell(counts.apply(group)), failed -> failuresTold(failed, pass));
        List<GroupRow> ended = step(
                told, group -> group.isToEnd() && counts.apply(group).isComplete(), complete -> ended(complete, pass));
        return step(ended, group -> group.endedAt() != null, over -> endsTold(over, pass));
    }

    private static List<GroupRow> step(
            List<GroupRow> groups, Predicate<GroupRow> isDue, UnaryOperator<List<GroupRow>> step) {
        List<GroupRow> due = groups.stream().filter(isDue).toList();
        if (due.isEmpty()) {
            return groups;
        }
        List<GroupRow> after = new ArrayList<>(step.apply(due));
        groups.stream().filter(isDue.negate()).forEach(after::add);
        return after;
    }

    private List<GroupRow> failuresTold(List<GroupRow> failed, Pass pass) {
        // From here on no call replaces the jobs, so each pass writes the same ones.
        List<GroupRow> seen = step(
                failed,
                group -> group.failure() != GroupRow.Failure.SEEN,
                unseen -> rows.change(unseen, GroupRow::failureSeen));
        write(seen, GroupRow::whenAnyFails, GroupCount.ANY_FAILED, pass);
        return rows.change(seen, GroupRow::failureWritten);
    }

    private List<GroupRow> ended(List<GroupRow> complete, Pass pass) {
        List<GroupRow> sealed = gate.sealed(complete);
        Map<UUID, GroupCounts> sums =
                numbers.sums(sealed.stream().map(GroupRow::id).toList());
        Function<GroupRow, GroupCounts> counts = group -> Objects.requireNonNull(sums.get(group.id()));
        List<GroupRow> over = sealed.stream()
                .filter(group -> counts.apply(group).isComplete())
                .filter(group -> !group.isFailureToTell(counts.apply(group)))
                .toList();
        List<GroupRow> ended = rows.change(over, group -> group.ended(pass.now, counts.apply(group)));
        ended.forEach(group -> pass.ended.accept(group.status(counts.apply(group))));
        return ended;
    }

    private List<GroupRow> endsTold(List<GroupRow> ended, Pass pass) {
        List<GroupRow> told = step(ended, group -> group.whenAllEnded() != null, waiting -> {
            write(waiting, GroupRow::whenAllEnded, GroupCount.ALL_ENDED, pass);
            return rows.change(waiting, GroupRow::endWritten);
        });
        numbers.retire(told.stream().filter(group -> group.counts() != null).toList());
        return told;
    }

    /**
     * Writes the jobs that follow the groups. A job is skipped if it was written before, or if another job already has
     * the same id.
     */
    private void write(
            List<GroupRow> groups, Function<GroupRow, @Nullable GroupJob> following, String mark, Pass pass) {
        List<Job> jobs = new ArrayList<>();
        List<RowWriter.Unit> units = new ArrayList<>();
        for (GroupRow group : groups) {
            Job job = Objects.requireNonNull(following.apply(group))
                    .toNewJob(pass.now, pass.freshToken)
                    .toJob();
            jobs.add(job);
            units.add(RowWriter.Unit.of(RowChange.followingGroup(group.id(), mark, job)));
        }
        boolean[] written = writer.write("writing the jobs of groups", units);
        List<DueRow> waiting = IntStream.range(0, written.length)
                .filter(i -> written[i])
                .mapToObj(i -> jobs.get(i).toDueRow())
                .toList();
        if (!waiting.isEmpty()) {
            pass.committed.accept(waiting);
        }
    }
}
