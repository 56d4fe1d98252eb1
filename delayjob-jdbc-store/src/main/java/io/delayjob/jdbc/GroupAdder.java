package io.delayjob.jdbc;

import io.delayjob.jdbc.dialect.GroupSql;
import io.delayjob.job.DueRow;
import io.delayjob.job.GroupCounts;
import io.delayjob.job.JobId;
import io.delayjob.job.NewJob;
import io.delayjob.store.DueSink;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.HashSet;
import java.util.List;
import java.util.Objects;
import java.util.Set;

/**
 * Adds up the counts of groups, and lets groups end.
 *
 * <p>One transaction locks groups, then reads their counts, and adds them to the groups' rows. So a transaction that adds
 * members, and has a shared lock of the group, is either not begun or committed, and its counts are visible. A member
 * begins no later than it ends, so a statement that sees the end also sees the begin. Therefore both sums are equal only
 * if every member has ended. Thread-safe.
 */
final class GroupAdder {

    /** Maximum number of groups in one transaction. */
    private static final int MAX_GROUPS = 100;

    /** Maximum number of counts of a group that are read at once. */
    static final int MAX_COUNTS = 5_000;

    private record Row(long id, GroupCounts counts) {}

    private final Transactions transactions;
    private final Database database;
    private final NewJobParameters newJobs;
    private final Sql lockCounted;
    private final Sql findCounts;
    private final Sql deleteCounts;
    private final Sql update;
    private final Database.Steps insertJobs;

    GroupAdder(Transactions transactions, Database database, Queues queues) {
        GroupSql sql = database.dialect().groups();
        this.transactions = transactions;
        this.database = database;
        this.newJobs = new NewJobParameters(queues);
        this.lockCounted = database.keptSql(database.dialect().guard() + sql.lockCounted());
        this.findCounts = database.keptSql(sql.findCounts());
        this.deleteCounts = database.keptSql(sql.deleteCounts());
        this.update = database.keptSql(sql.update());
        this.insertJobs = database.keptSteps(database.dialect().submission().insertFollowers());
    }

    /** See {@link io.delayjob.store.JobGroups#fold}. */
    boolean addUp(Instant now, long freshToken, DueSink committed) {
        DueSink asOfNow = committed.asOfNow();
        Pass pass = transactions.own("adding up groups", () -> {
            List<StoredGroup> groups =
                    database.query(lockCounted, Parameters.none().set("limit", MAX_GROUPS), StoredGroup::of);
            Pass under = new Pass(now, freshToken, groups.size() == MAX_GROUPS);
            groups.forEach(group -> addUp(group, under));
            under.waiting = inserted(under.jobs);
            return under;
        });
        if (!pass.waiting.isEmpty()) {
            asOfNow.accept(pass.waiting);
        }
        return pass.isMoreLeft;
    }

    /** One transaction. */
    private static final class Pass {
        private final Instant now;
        private final long freshToken;
        private final List<NewJob> jobs = new ArrayList<>();
        private List<DueRow> waiting = List.of();
        private boolean isMoreLeft;

        private Pass(Instant now, long freshToken, boolean isMoreLeft) {
            this.now = now;
            this.freshToken = freshToken;
            this.isMoreLeft = isMoreLeft;
        }
    }

    private void addUp(StoredGroup locked, Pass pass) {
        Parameters parameters =
                Parameters.none().set("id", locked.status().group().id());
        List<Row> rows = database.query(
                findCounts,
                parameters.set("limit", MAX_COUNTS),
                row -> new Row(
                        row.getLong(1),
                        new GroupCounts(row.getLong(2), row.getLong(3), row.getLong(4), row.getLong(5))));
        StoredGroup group = locked.counting(rows.stream().map(Row::counts).reduce(GroupCounts.NONE, GroupCounts::plus));
        if (group.hasFailed()) {
            pass.jobs.add(Objects.requireNonNull(group.whenAnyFails()).toNewJob(pass.now, pass.freshToken));
            group = group.withoutJobForFailure();
        }
        if (rows.size() == MAX_COUNTS) {
            // Some begins may be left, so the sums prove nothing yet.
            pass.isMoreLeft = true;
        } else if (group.ends()) {
            if (group.whenAllEnded() != null) {
                pass.jobs.add(group.whenAllEnded().toNewJob(pass.now, pass.freshToken));
            }
            group = group.ended(pass.now);
        }
        database.update(update, group.toParameters());
        database.update(deleteCounts, parameters.set("counts", Column.of("bigint", rows, Row::id)));
    }

    /** Inserts the jobs that do not exist yet, and returns their rows. */
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
