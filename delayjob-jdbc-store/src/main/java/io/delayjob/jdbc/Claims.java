package io.delayjob.jdbc;

import io.delayjob.job.DueRow;
import io.delayjob.job.Job;
import io.delayjob.job.JobId;
import io.delayjob.job.Partition;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Collection;
import java.util.Comparator;
import java.util.List;
import java.util.Map;
import java.util.OptionalInt;
import java.util.Set;
import java.util.stream.Collectors;

/** Who may run a job: claim, release, rescue. Thread-safe. */
final class Claims {

    private final Transactions transactions;
    private final Database database;
    private final Queues queues;
    private final JobRows rows;
    private final Endings endings;
    private final JobLocator locator;
    private final Database.Steps claim;
    private final Database.Steps release;
    private final Database.Steps rescue;

    Claims(
            Transactions transactions,
            Database database,
            Queues queues,
            JobRows rows,
            Endings endings,
            JobLocator locator) {
        this.transactions = transactions;
        this.database = database;
        this.queues = queues;
        this.rows = rows;
        this.endings = endings;
        this.locator = locator;
        this.claim = database.steps(database.dialect().claim());
        this.release = database.steps(database.dialect().release());
        this.rescue = database.steps(database.dialect().rescue());
    }

    List<Job> claim(List<DueRow> due, long owner, long freshToken, Instant now) {
        if (due.isEmpty()) {
            return List.of();
        }
        return transactions.own(
                "claiming %d jobs".formatted(due.size()),
                () -> database.run(
                        claim,
                        tokens(due)
                                .set("owner", owner)
                                .set("freshToken", freshToken)
                                .set("now", now.toEpochMilli()),
                        rows::unfinished));
    }

    List<DueRow> release(List<DueRow> due, long claimToken, long freshToken, Instant now) {
        if (due.isEmpty()) {
            return List.of();
        }
        return transactions.own("releasing %d jobs".formatted(due.size()), () -> {
            List<Job> released = database.run(
                    release, tokens(due).set("claimToken", claimToken).set("freshToken", freshToken), rows::unfinished);
            endings.write(released.stream()
                    .filter(Job::cancelRequested)
                    .map(job -> Endings.Ending.cancelled(job, now))
                    .toList());
            Set<JobId> done = released.stream().map(Job::id).collect(Collectors.toSet());
            return skipped(due.stream().filter(row -> !done.contains(row.id())).toList(), claimToken);
        });
    }

    /** Of the rows that were not released, those that still bear the token by which they should have been. */
    private List<DueRow> skipped(List<DueRow> unreleased, long claimToken) {
        if (unreleased.isEmpty()) {
            return List.of();
        }
        Map<JobId, JobLocator.Located> found = locator.find(unreleased, DueRow::id);
        return unreleased.stream()
                .filter(row -> {
                    JobLocator.Located present = found.get(row.id());
                    return present != null && (present.token() == row.token() || present.token() == claimToken);
                })
                .toList();
    }

    /** Those whose cancellation was requested make room, so that fewer rows than the limit mean that none is left. */
    List<DueRow> rescue(Collection<Partition> partitions, Instant now, long freshToken, int limit) {
        List<Integer> ids = partitions.stream()
                .map(queues::find)
                .filter(OptionalInt::isPresent)
                .map(OptionalInt::getAsInt)
                .toList();
        List<DueRow> rescued = new ArrayList<>();
        boolean mayBeMore = !ids.isEmpty();
        while (mayBeMore && rescued.size() < limit) {
            int room = limit - rescued.size();
            List<Job> found = transactions.own("rescuing jobs", () -> rescue(ids, now, freshToken, room));
            found.stream()
                    .filter(job -> !job.cancelRequested())
                    .map(Job::toDueRow)
                    .forEach(rescued::add);
            mayBeMore = found.size() == room;
        }
        return rescued;
    }

    private List<Job> rescue(List<Integer> partitions, Instant now, long freshToken, int limit) {
        Parameters parameters = Parameters.none()
                .ints("partition", partitions, partition -> partition)
                .set("now", now.toEpochMilli())
                .set("freshToken", freshToken)
                .set("limit", limit);
        List<Job> found = database.run(rescue, parameters, rows::unfinished);
        endings.write(found.stream()
                .filter(Job::cancelRequested)
                .map(job -> Endings.Ending.cancelled(job, now))
                .toList());
        return found;
    }

    private static Parameters tokens(List<DueRow> due) {
        List<DueRow> sorted =
                due.stream().sorted(Comparator.comparing(DueRow::id)).toList();
        return Parameters.none().uuids("id", sorted, row -> row.id().value()).longs("token", sorted, DueRow::token);
    }
}
