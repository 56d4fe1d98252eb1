package io.delayjob.jdbc;

import io.delayjob.internal.jdbc.dialect.ByHandSql;
import io.delayjob.job.CancelResult;
import io.delayjob.job.ChangeResult;
import io.delayjob.job.DueRow;
import io.delayjob.job.Job;
import io.delayjob.job.JobId;
import io.delayjob.job.JobState;
import io.delayjob.job.Printable;
import io.delayjob.store.DueSink;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Collections;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import org.springframework.dao.ConcurrencyFailureException;
import org.springframework.dao.DuplicateKeyException;

/** Cancels, withdraws, reschedules or retries one job. Each change first locks the job's row. Thread-safe. */
final class ByHand {

    /** Maximum number of times that a key is read. The key is read again only if another job took the key meanwhile. */
    private static final int MAX_LOOKS = 20;

    private final Transactions transactions;
    private final Database database;
    private final JobRows rows;
    private final Endings endings;
    private final Notices notices;
    private final GroupMembers members;
    private final Sql lockJob;
    private final Sql lockKey;
    private final Sql findKeys;
    private final Sql findJob;
    private final Sql requestCancel;
    private final Sql dropKey;
    private final Sql reschedule;
    private final Sql lockFailed;
    private final Database.Steps reviveJob;
    private final Sql deleteFromHistory;

    ByHand(Transactions transactions, Database database, JobRows rows, Endings endings, Notices notices) {
        ByHandSql sql = database.dialect().byHand();
        this.transactions = transactions;
        this.database = database;
        this.rows = rows;
        this.endings = endings;
        this.notices = notices;
        this.members = new GroupMembers(database);
        this.lockJob = database.sql(sql.lockJob());
        this.lockKey = database.sql(sql.lockKey());
        this.findKeys = database.sql(database.dialect().submission().findKeys());
        this.findJob = database.sql(database.dialect().reads().findJob());
        this.requestCancel = database.sql(sql.requestCancel());
        this.dropKey = database.sql(sql.dropKey());
        this.reschedule = database.sql(sql.reschedule());
        this.lockFailed = database.sql(sql.lockFailed());
        this.reviveJob = database.steps(sql.reviveJob());
        this.deleteFromHistory = database.sql(sql.deleteFromHistory());
    }

    CancelResult cancel(JobId id, Instant now) {
        return transactions.callers(
                "cancelling job " + id,
                DueSink.NONE,
                run -> lock(id).map(job -> cancel(job, now)).orElseGet(() -> cancelledBefore(id)));
    }

    CancelResult cancel(String name, String key, Instant now) {
        return transactions.callers(
                "cancelling job '%s' with key '%s'".formatted(Printable.of(name), Printable.of(key)),
                DueSink.NONE,
                run -> lock(name, key).map(job -> cancel(job, now)).orElse(CancelResult.NOT_FOUND));
    }

    /**
     * While the statement waits for the lock, a new job may take the key. The statement then locks no row, and the
     * method tries again.
     */
    private Optional<Job> lock(String name, String key) {
        for (int look = 1; look <= MAX_LOOKS; look++) {
            Optional<Job> locked =
                    first(lockKey, Parameters.none().set("name", name).set("key", key));
            if (locked.isPresent() || !isTaken(name, key)) {
                return locked;
            }
        }
        throw new ConcurrencyFailureException(
                "Key '%s' of job '%s' was taken by another job %d times in a row, so no job was changed."
                        .formatted(key, name, MAX_LOOKS));
    }

    /**
     * The caller's transaction may still show the key of an ended job. So if that transaction shows the key and may
     * read old rows, a second connection reads the key again.
     */
    private boolean isTaken(String name, String key) {
        return isSeen(name, key)
                && (transactions.readsLatest()
                        || transactions.outside(
                                "looking for the job of a key on a second connection", () -> isSeen(name, key)));
    }

    private boolean isSeen(String name, String key) {
        Parameters one =
                Parameters.none().texts("name", List.of(name), text -> text).texts("key", List.of(key), text -> text);
        return !database.query(findKeys, one, row -> row.getString(2)).isEmpty();
    }

    private CancelResult cancel(Job locked, Instant now) {
        if (locked.state() == JobState.RUNNING) {
            database.update(requestCancel, id(locked.id()));
            notices.requestCancel(locked, now);
            return CancelResult.RUNNING;
        }
        end(locked, now);
        return CancelResult.ofCancelled(locked);
    }

    private void end(Job locked, Instant now) {
        end(List.of(locked), now);
    }

    private void end(List<Job> locked, Instant now) {
        Set<JobId> refused = endings.write(
                locked.stream().map(job -> Endings.Ending.cancelled(job, now)).toList());
        for (Job job : locked) {
            if (refused.contains(job.id())) {
                throw remains(job);
            }
        }
    }

    private static ConcurrencyFailureException remains(Job locked) {
        return new ConcurrencyFailureException(
                "Job %s was locked, but its row could not be deleted: check that delayjob's database user may delete from the job table."
                        .formatted(locked.id()));
    }

    Map<JobId, CancelResult> cancel(List<Job> locked, Instant now) {
        Map<JobId, CancelResult> results = new HashMap<>();
        List<Job> waiting = new ArrayList<>();
        for (Job job : locked) {
            if (job.state() == JobState.RUNNING) {
                results.put(job.id(), cancel(job, now));
            } else {
                waiting.add(job);
                results.put(job.id(), CancelResult.ofCancelled(job));
            }
        }
        if (!waiting.isEmpty()) {
            end(waiting, now);
        }
        return results;
    }

    void withdraw(JobId id, Instant now) {
        transactions.callers("withdrawing job " + id, DueSink.NONE, run -> lock(id).map(job -> withdraw(job, now)));
    }

    private Job withdraw(Job locked, Instant now) {
        database.update(dropKey, id(locked.id()));
        if (locked.state() == JobState.RUNNING) {
            database.update(requestCancel, id(locked.id()));
        } else {
            end(locked, now);
        }
        return locked;
    }

    CancelResult cancelledBefore(JobId id) {
        return find(id).map(ByHand::cancelAgain).orElse(CancelResult.NOT_FOUND);
    }

    private static CancelResult cancelAgain(Job found) {
        return found.state() == JobState.CANCELLED ? CancelResult.ofCancelled(found) : CancelResult.ALREADY_ENDED;
    }

    ChangeResult reschedule(JobId id, Instant due, long freshToken, DueSink committed) {
        return transactions.callers("rescheduling job " + id, committed, run -> {
            Optional<Job> locked = lock(id);
            if (locked.isEmpty()) {
                return notUnfinished(id);
            }
            Job job = locked.get();
            if (job.isUnderWay()) {
                return ChangeResult.RUNNING;
            }
            long dueMillis = due.toEpochMilli();
            database.update(reschedule, id(id).set("dueAt", dueMillis).set("freshToken", freshToken));
            run.leavesWaiting(List.of(new DueRow(
                    id,
                    job.partition(),
                    job.name(),
                    dueMillis,
                    freshToken,
                    job.task().keys())));
            return ChangeResult.CHANGED;
        });
    }

    ChangeResult notUnfinished(JobId id) {
        return find(id).isPresent() ? ChangeResult.ALREADY_ENDED : ChangeResult.NOT_FOUND;
    }

    ChangeResult retry(JobId id, Instant due, long freshToken, DueSink committed) {
        return transactions.callers("retrying job " + id, committed, run -> {
            ChangeResult seen = unlessFailed(id, ChangeResult.CHANGED);
            if (seen != ChangeResult.CHANGED) {
                return seen;
            }
            List<Optional<String>> extras =
                    database.query(lockFailed, id(id), row -> Optional.ofNullable(row.getString(2)));
            if (extras.isEmpty()) {
                // Another caller has retried the job meanwhile, so the job was waiting.
                return unlessFailed(id, ChangeResult.WAITING);
            }
            ChangeResult result = revive(id, due, freshToken, run);
            if (result == ChangeResult.CHANGED) {
                members.revived(Collections.singletonMap(id, extras.get(0).orElse(null)));
            }
            return result;
        });
    }

    ChangeResult unlessFailed(JobId id, ChangeResult failed) {
        return find(id).map(job -> switch (job.state()) {
                    case RUNNING -> ChangeResult.RUNNING;
                    case DELAYED, READY, AWAITING -> job.awaiting() ? ChangeResult.RUNNING : ChangeResult.WAITING;
                    case FINISHED, CANCELLED -> ChangeResult.ALREADY_ENDED;
                    case FAILED -> failed;
                })
                .orElse(ChangeResult.NOT_FOUND);
    }

    /** The caller must have locked the row of the failed job. */
    ChangeResult revive(JobId id, Instant due, long freshToken, Transactions.Run run) {
        Parameters parameters = id(id).set("dueAt", due.toEpochMilli()).set("freshToken", freshToken);
        List<DueRow> revived;
        try {
            revived = database.run(reviveJob, parameters, rows::due);
        } catch (DuplicateKeyException collision) {
            // Only a database without ON CONFLICT reports this error.
            revived = List.of();
        }
        if (revived.isEmpty()) {
            return ChangeResult.KEY_IN_USE;
        }
        database.update(deleteFromHistory, id(id));
        run.leavesWaiting(revived);
        return ChangeResult.CHANGED;
    }

    private Optional<Job> lock(JobId id) {
        return first(lockJob, id(id));
    }

    private Optional<Job> first(Sql lock, Parameters parameters) {
        return database.query(lock, parameters, rows::unfinished).stream().findFirst();
    }

    private Optional<Job> find(JobId id) {
        return database.query(findJob, id(id), rows::any).stream().findFirst();
    }

    private static Parameters id(JobId id) {
        return Parameters.none().set("id", id.value());
    }
}
