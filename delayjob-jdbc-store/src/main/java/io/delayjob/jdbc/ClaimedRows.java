package io.delayjob.jdbc;

import io.delayjob.internal.jdbc.dialect.ClaimSql;
import io.delayjob.job.DueRow;
import io.delayjob.job.Job;
import io.delayjob.job.JobId;
import java.time.Instant;
import java.util.Comparator;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.function.Supplier;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;

/** Claims, releases and rescues jobs. Thread-safe. */
final class ClaimedRows {

    private final Transactions transactions;
    private final HeldRows held = new HeldRows();
    private final Database database;
    private final JobRows rows;
    private final Endings endings;
    private final JobLocator locator;
    private final Database.Steps claim;
    private final Database.@Nullable Batched claimStraight;
    private final Database.Steps release;
    private final Database.Steps rescue;

    ClaimedRows(Transactions transactions, Database database, JobRows rows, Endings endings, JobLocator locator) {
        this.transactions = transactions;
        this.database = database;
        this.rows = rows;
        this.endings = endings;
        this.locator = locator;
        ClaimSql sql = database.dialect().claims();
        this.claim = database.ownSteps(sql.claim());
        this.claimStraight = database.straightIfAny(sql.claimStraight());
        this.release = database.ownSteps(sql.release());
        this.rescue = database.ownSteps(sql.rescue());
    }

    List<Job> claim(List<DueRow> due, long owner, long freshToken, Instant now) {
        if (due.isEmpty()) {
            return List.of();
        }
        List<DueRow> batch = inOrderOfIds(due);
        Supplier<Parameters> parameters = () ->
                tokens(batch).set("owner", owner).set("freshToken", freshToken).set("now", now.toEpochMilli());
        Supplier<List<Job>> lockingFirst = () -> database.run(claim, parameters.get(), rows::unfinished);
        String doing = "claiming " + batch.size() + " jobs";
        Database.Batched straight = claimStraight;
        if (straight == null) {
            return transactions.own(doing, lockingFirst);
        }
        Supplier<List<Job>> atOnce = () -> database.run(
                straight, parameters.get(), row -> rows.claimed(row, batch, owner, freshToken, now.toEpochMilli()));
        return transactions.own(doing, held, atOnce, lockingFirst);
    }

    List<DueRow> release(List<DueRow> due, long claimToken, long freshToken, Instant now) {
        if (due.isEmpty()) {
            return List.of();
        }
        return transactions.own("releasing %d jobs".formatted(due.size()), () -> {
            List<Job> released = database.run(
                    release,
                    tokens(inOrderOfIds(due)).set("claimToken", claimToken).set("freshToken", freshToken),
                    rows::unfinished);
            endings.write(released.stream()
                    .filter(Job::cancelRequested)
                    .map(job -> Endings.Ending.cancelled(job, now))
                    .toList());
            Set<JobId> done = released.stream().map(Job::id).collect(Collectors.toSet());
            return skipped(due.stream().filter(row -> !done.contains(row.id())).toList(), claimToken);
        });
    }

    /**
     * Returns the rows that the statement skipped, to release them later. A cancelled job keeps its token, but needs no
     * release.
     */
    private List<DueRow> skipped(List<DueRow> unreleased, long claimToken) {
        if (unreleased.isEmpty()) {
            return List.of();
        }
        Map<JobId, JobLocator.Located> found = locator.find(unreleased, DueRow::id);
        return unreleased.stream()
                .filter(row -> {
                    JobLocator.Located present = found.get(row.id());
                    return present != null
                            && !present.state().isEnded()
                            && (present.token() == row.token() || present.token() == claimToken);
                })
                .toList();
    }

    List<DueRow> rescue(List<DueRow> lost, Instant now, long freshToken) {
        if (lost.isEmpty()) {
            return List.of();
        }
        return transactions.own("rescuing %d jobs".formatted(lost.size()), () -> {
            List<Job> found = database.run(
                    rescue,
                    tokens(inOrderOfIds(lost)).set("now", now.toEpochMilli()).set("freshToken", freshToken),
                    rows::unfinished);
            endings.write(found.stream()
                    .filter(Job::cancelRequested)
                    .map(job -> Endings.Ending.cancelled(job, now))
                    .toList());
            return found.stream()
                    .filter(job -> !job.cancelRequested())
                    .map(Job::toDueRow)
                    .toList();
        });
    }

    private static List<DueRow> inOrderOfIds(List<DueRow> due) {
        return due.stream().sorted(Comparator.comparing(DueRow::id)).toList();
    }

    private static Parameters tokens(List<DueRow> batch) {
        return Parameters.none().uuids("id", batch, row -> row.id().value()).longs("token", batch, DueRow::token);
    }
}
