package io.delayjob.jdbc;

import io.delayjob.internal.jdbc.dialect.ByHandSql;
import io.delayjob.internal.jdbc.dialect.StoredState;
import io.delayjob.job.CancelResult;
import io.delayjob.job.ChangeResult;
import io.delayjob.job.DueRow;
import io.delayjob.job.Job;
import io.delayjob.job.JobId;
import io.delayjob.job.JobMove;
import io.delayjob.job.JobState;
import io.delayjob.store.DueSink;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.time.Instant;
import java.util.Collection;
import java.util.Comparator;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Set;
import java.util.TreeMap;
import java.util.function.Function;
import java.util.function.Predicate;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;
import org.springframework.dao.DuplicateKeyException;

/**
 * Changes many jobs at once. The class locks the rows in the order of their ids, and then changes them together.
 * Thread-safe.
 */
final class ManyByHand {

    private record NameAndKey(String name, @Nullable String key) {}

    private record Ended(
            JobId id,
            NameAndKey key,
            JobState state,
            @Nullable String extras) {}

    private final Transactions transactions;
    private final Database database;
    private final JobRows rows;
    private final ByHand one;
    private final GroupMembers members;
    private final Sql lockJobs;
    private final Sql reschedule;
    private final Sql lockEnded;
    private final Sql findKeys;
    private final Database.Steps revive;
    private final Sql deleteFromHistory;

    ManyByHand(Transactions transactions, Database database, JobRows rows, ByHand one) {
        ByHandSql sql = database.dialect().byHand();
        this.transactions = transactions;
        this.database = database;
        this.rows = rows;
        this.one = one;
        this.members = new GroupMembers(database);
        this.lockJobs = database.sql(sql.lockJobs());
        this.reschedule = database.sql(sql.rescheduleJobs());
        this.lockEnded = database.sql(sql.lockEnded());
        this.findKeys = database.sql(database.dialect().submission().findKeys());
        this.revive = database.steps(sql.reviveJobs());
        this.deleteFromHistory = database.sql(sql.deleteAllFromHistory());
    }

    List<CancelResult> cancel(List<JobId> ids, Instant now) {
        if (ids.isEmpty()) {
            return List.of();
        }
        return transactions.callers("cancelling %d jobs".formatted(ids.size()), DueSink.NONE, run -> {
            Map<JobId, CancelResult> results = one.cancel(lock(ids), now);
            return ids.stream()
                    .map(id -> results.containsKey(id) ? results.get(id) : one.cancelledBefore(id))
                    .toList();
        });
    }

    Map<JobId, CancelResult> cancelWaiting(List<JobId> ids, Instant now) {
        return cancel(ids, ManyByHand::isWaiting, now);
    }

    Map<JobId, CancelResult> cancelAwaiting(List<JobId> ids, Instant now) {
        return cancel(ids, Job::awaiting, now);
    }

    private Map<JobId, CancelResult> cancel(List<JobId> ids, Predicate<Job> which, Instant now) {
        if (ids.isEmpty()) {
            return Map.of();
        }
        return transactions.callers(
                "cancelling %d jobs".formatted(ids.size()),
                DueSink.NONE,
                run -> one.cancel(lock(ids).stream().filter(which).toList(), now));
    }

    List<ChangeResult> reschedule(List<JobMove> moves, long freshToken, DueSink committed) {
        if (moves.isEmpty()) {
            return List.of();
        }
        return transactions.callers("rescheduling %d jobs".formatted(moves.size()), committed, run -> {
            Map<JobId, Job> locked = lock(moves.stream().map(JobMove::id).toList()).stream()
                    .collect(Collectors.toMap(Job::id, Function.identity()));
            List<JobMove> movable = moves.stream()
                    .filter(move -> isWaiting(locked.get(move.id())))
                    .toList();
            if (!movable.isEmpty()) {
                database.update(reschedule, parameters(movable, freshToken));
            }
            run.leavesWaiting(movable.stream()
                    .map(move -> dueRow(Objects.requireNonNull(locked.get(move.id())), move.due(), freshToken))
                    .toList());
            return moves.stream()
                    .map(move -> {
                        Job job = locked.get(move.id());
                        return job == null
                                ? one.notUnfinished(move.id())
                                : isWaiting(job) ? ChangeResult.CHANGED : ChangeResult.RUNNING;
                    })
                    .toList();
        });
    }

    private static boolean isWaiting(@Nullable Job job) {
        return job != null && !job.isUnderWay();
    }

    private static DueRow dueRow(Job job, Instant due, long token) {
        return new DueRow(
                job.id(),
                job.partition(),
                job.name(),
                due.toEpochMilli(),
                token,
                job.task().keys());
    }

    List<ChangeResult> retry(List<JobMove> moves, long freshToken, DueSink committed) {
        if (moves.isEmpty()) {
            return List.of();
        }
        return transactions.callers("retrying %d jobs".formatted(moves.size()), committed, run -> {
            Map<JobId, Ended> failed =
                    database
                            .query(
                                    lockEnded,
                                    ids(moves.stream().map(JobMove::id).toList()),
                                    ManyByHand::ended)
                            .stream()
                            .filter(ended -> ended.state == JobState.FAILED)
                            .collect(Collectors.toMap(Ended::id, Function.identity()));
            Set<NameAndKey> taken = taken(failed.values());
            List<JobMove> free = moves.stream()
                    .filter(move -> failed.containsKey(move.id()))
                    .filter(move -> {
                        NameAndKey key = Objects.requireNonNull(failed.get(move.id())).key;
                        return key.key == null || taken.add(key);
                    })
                    .toList();
            Set<JobId> revived = revive(free, freshToken, run);
            countMembers(failed, revived);
            return moves.stream()
                    .map(move -> revived.contains(move.id())
                            ? ChangeResult.CHANGED
                            : failed.containsKey(move.id())
                                    ? ChangeResult.KEY_IN_USE
                                    : one.unlessFailed(move.id(), ChangeResult.WAITING))
                    .toList();
        });
    }

    private void countMembers(Map<JobId, Ended> failed, Set<JobId> revived) {
        Map<JobId, @Nullable String> extras = new TreeMap<>();
        revived.forEach(id -> extras.put(id, Objects.requireNonNull(failed.get(id)).extras));
        members.revived(extras);
    }

    private Set<NameAndKey> taken(Collection<Ended> failed) {
        List<NameAndKey> keys =
                failed.stream().map(Ended::key).filter(key -> key.key != null).toList();
        if (keys.isEmpty()) {
            return new HashSet<>();
        }
        Parameters parameters =
                Parameters.none().texts("name", keys, NameAndKey::name).texts("key", keys, NameAndKey::key);
        return new HashSet<>(
                database.query(findKeys, parameters, row -> new NameAndKey(row.getString(1), row.getString(2))));
    }

    private Set<JobId> revive(List<JobMove> free, long freshToken, Transactions.Run run) {
        if (free.isEmpty()) {
            return Set.of();
        }
        List<DueRow> revived;
        try {
            revived = database.run(revive, parameters(free, freshToken), rows::due);
        } catch (DuplicateKeyException collision) {
            // Only a database without ON CONFLICT reports this error.
            return free.stream()
                    .filter(move -> one.revive(move.id(), move.due(), freshToken, run) == ChangeResult.CHANGED)
                    .map(JobMove::id)
                    .collect(Collectors.toSet());
        }
        Set<JobId> ids = revived.stream().map(DueRow::id).collect(Collectors.toSet());
        if (!ids.isEmpty()) {
            database.update(deleteFromHistory, ids(ids));
        }
        run.leavesWaiting(revived);
        return ids;
    }

    private List<Job> lock(List<JobId> ids) {
        return database.query(lockJobs, ids(ids), rows::unfinished);
    }

    private static Ended ended(ResultSet row) throws SQLException {
        return new Ended(
                JobRows.id(row),
                new NameAndKey(row.getString(2), row.getString(3)),
                StoredState.stateOf(row.getInt(4)),
                row.getString(5));
    }

    private static Parameters ids(Collection<JobId> ids) {
        return Parameters.none().uuids("id", ids.stream().sorted().toList(), JobId::value);
    }

    private static Parameters parameters(List<JobMove> moves, long freshToken) {
        List<JobMove> sorted =
                moves.stream().sorted(Comparator.comparing(JobMove::id)).toList();
        return Parameters.none()
                .set("freshToken", freshToken)
                .uuids("id", sorted, move -> move.id().value())
                .longs("dueAt", sorted, move -> move.due().toEpochMilli());
    }
}
