package io.delayjob.jdbc;

import io.delayjob.internal.jdbc.dialect.GroupSql;
import io.delayjob.job.DueRow;
import io.delayjob.job.GroupCounts;
import io.delayjob.job.GroupJob;
import io.delayjob.job.GroupStatus;
import io.delayjob.job.JobId;
import io.delayjob.job.NewJob;
import io.delayjob.store.DueSink;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import java.util.UUID;
import java.util.concurrent.atomic.AtomicReference;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/**
 * Adds up the counts of groups, and lets groups end.
 *
 * <p>A transaction that adds members holds a shared lock of the group's row. Therefore, after this class has locked the
 * row, all earlier counts are visible. The start of a member is never counted after its end. Therefore, if the sum of
 * the starts equals the sum of the ends, every member has ended.
 *
 * <p>Each pass begins after the last group of the previous pass, so busy groups do not delay other groups. Thread-safe.
 */
final class GroupAdder {

    private static final int MAX_GROUPS = 100;

    /** Maximum number of counts of one group that a transaction adds up. */
    static final int MAX_COUNTS = 5_000;

    /**
     * Number of counts after which a transaction takes no further group. Callers that add members wait for the end of
     * the transaction.
     */
    private static final int ENOUGH_COUNTS = 20_000;

    private record Row(long id, GroupCounts counts) {}

    /**
     * @param group {@code null} if the row cannot be read
     * @param jobs the jobs that wait for the group
     */
    private record Locked(UUID id, @Nullable StoredGroup group, List<GroupJob> jobs) {

        static Locked of(ResultSet row) throws SQLException {
            StoredGroup group = StoredGroup.of(row);
            return new Locked(group.status().group().id(), group, group.jobs().toList());
        }

        static Locked unreadable(UUID id) {
            return new Locked(id, null, List.of());
        }
    }

    /**
     * @param after the pass begins with the first group after this id
     * @param groups maximum number of groups in one transaction
     * @param isAnyCut whether this round left some counts for the next round
     */
    private record Place(UUID after, int groups, boolean isAnyCut) {

        private static final Place START = new Place(new UUID(0, 0), MAX_GROUPS, false);

        /**
         * From this place on, each transaction takes one group. A group that has failed in its own transaction waits
         * for the next round.
         */
        Place afterFailure(@Nullable UUID alone) {
            return new Place(groups == 1 && alone != null ? alone : after, 1, isAnyCut);
        }
    }

    private final Transactions transactions;
    private final Database database;
    private final Queues queues;
    private final ReadableGroups readable;
    private final NewJobParameters newJobs;
    private final Sql lockCounted;
    private final Sql findCounts;
    private final Sql deleteCounts;
    private final Sql update;
    private final Database.Steps insertJobs;
    private volatile Place place = Place.START;

    GroupAdder(Transactions transactions, Database database, Queues queues, ReadableGroups readable) {
        GroupSql sql = database.dialect().groups();
        this.transactions = transactions;
        this.database = database;
        this.queues = queues;
        this.readable = readable;
        this.newJobs = new NewJobParameters(queues);
        this.lockCounted = database.keptSql(database.dialect().guard() + sql.lockCounted());
        this.findCounts = database.keptSql(sql.findCounts());
        this.deleteCounts = database.keptSql(sql.deleteCounts());
        this.update = database.keptSql(sql.update());
        this.insertJobs = database.keptSteps(database.dialect().submission().insertFollowers());
    }

    boolean addUp(Instant now, long freshToken, DueSink committed, Consumer<GroupStatus> ended) {
        DueSink asOfNow = committed.asOfNow();
        Place begin = place;
        AtomicReference<@Nullable UUID> last = new AtomicReference<>();
        Pass pass;
        try {
            pass = pass(begin, now, freshToken, last);
        } catch (RuntimeException failed) {
            place = begin.afterFailure(last.get());
            throw failed;
        }
        boolean isRoundOver = pass.isLast;
        boolean isAnyCut = begin.isAnyCut || pass.isAnyCut;
        UUID end = last.get();
        place = isRoundOver || end == null ? Place.START : new Place(end, begin.groups, isAnyCut);
        if (!pass.waiting.isEmpty()) {
            asOfNow.accept(pass.waiting);
        }
        pass.ended.forEach(ended);
        return !isRoundOver || isAnyCut;
    }

    /** @param last receives the id of the latest group; after an exception, this is the group that failed */
    private Pass pass(Place begin, Instant now, long freshToken, AtomicReference<@Nullable UUID> last) {
        while (true) {
            Pass pass = transactions.own("adding up groups", () -> {
                List<Locked> groups = database.query(
                        lockCounted,
                        Parameters.none().set("after", begin.after).set("limit", begin.groups),
                        this::locked);
                Pass under = new Pass(now, freshToken);
                under.newQueues = newQueues(groups);
                if (under.newQueues.isEmpty()) {
                    addUp(groups, under, last);
                    under.isLast &= groups.size() < begin.groups;
                    under.waiting = inserted(under.jobs);
                }
                return under;
            });
            if (pass.newQueues.isEmpty()) {
                return pass;
            }
            // A new queue gets its number in a separate transaction, so this one ends first.
            pass.newQueues.forEach(queues::numberOf);
        }
    }

    private Locked locked(ResultSet row) throws SQLException {
        UUID id = Database.uuid(row, 1);
        return readable.read(row, Locked::of).orElseGet(() -> Locked.unreadable(id));
    }

    private void addUp(List<Locked> groups, Pass pass, AtomicReference<@Nullable UUID> last) {
        for (Locked locked : groups) {
            if (pass.counts >= ENOUGH_COUNTS) {
                pass.isLast = false;
                return;
            }
            last.set(locked.id);
            if (locked.group != null) {
                addUp(locked.group, pass);
            }
        }
    }

    private List<String> newQueues(List<Locked> groups) {
        return groups.stream()
                .flatMap(group -> group.jobs.stream())
                .map(job -> job.partition().queue())
                .distinct()
                .filter(queue -> !queues.isKnown(queue))
                .toList();
    }

    private static final class Pass {
        private final Instant now;
        private final long freshToken;
        private final List<NewJob> jobs = new ArrayList<>();
        private final List<GroupStatus> ended = new ArrayList<>();
        private List<DueRow> waiting = List.of();
        private List<String> newQueues = List.of();
        private int counts;
        private boolean isAnyCut;
        private boolean isLast = true;

        private Pass(Instant now, long freshToken) {
            this.now = now;
            this.freshToken = freshToken;
        }
    }

    private void addUp(StoredGroup locked, Pass pass) {
        Parameters parameters =
                Parameters.none().set("id", locked.status().group().id());
        List<Row> found = database.query(
                findCounts,
                parameters.set("limit", MAX_COUNTS + 1),
                row -> new Row(
                        row.getLong(1),
                        new GroupCounts(row.getLong(2), row.getLong(3), row.getLong(4), row.getLong(5))));
        boolean isCut = found.size() > MAX_COUNTS;
        // A cut leaves at least one count, because a group without counts is not visited again.
        List<Row> rows = isCut ? found.subList(0, MAX_COUNTS) : found;
        pass.counts += rows.size();
        StoredGroup group = locked.counting(rows.stream().map(Row::counts).reduce(GroupCounts.NONE, GroupCounts::plus));
        if (group.hasFailed()) {
            pass.jobs.add(group.jobForFailure().toNewJob(pass.now, pass.freshToken));
            group = group.withoutJobForFailure();
        }
        if (isCut) {
            // Some starts may not be read yet, so the sums prove nothing.
            pass.isAnyCut = true;
        } else if (group.ends()) {
            GroupJob follower = group.whenAllEnded();
            if (follower != null) {
                pass.jobs.add(follower.toNewJob(pass.now, pass.freshToken));
            }
            group = group.ended(pass.now);
            pass.ended.add(group.status());
        }
        database.update(update, group.toParameters());
        database.update(deleteCounts, parameters.set("counts", Column.of("bigint", rows, Row::id)));
    }

    private List<DueRow> inserted(List<NewJob> jobs) {
        if (jobs.isEmpty()) {
            return List.of();
        }
        List<NewJob> sorted =
                jobs.stream().sorted(Comparator.comparing(NewJob::id)).toList();
        Set<JobId> inserted = new HashSet<>(database.run(insertJobs, newJobs.of(sorted), JobRows::id));
        return sorted.stream()
                .filter(job -> inserted.contains(job.id()))
                .map(NewJob::toDueRow)
                .toList();
    }
}
