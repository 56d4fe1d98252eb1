package io.delayjob.jdbc;

import io.delayjob.job.AnswerResult;
import io.delayjob.job.Completion;
import io.delayjob.job.Job;
import io.delayjob.job.JobId;
import io.delayjob.job.JobState;
import io.delayjob.store.CompletionResult;
import io.delayjob.store.DueSink;
import java.util.List;
import java.util.function.Consumer;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;
import org.springframework.dao.ConcurrencyFailureException;

/** Stores the answers of other systems within the caller's transaction. Thread-safe. */
final class AnsweredRows {

    private final Transactions transactions;
    private final Database database;
    private final JobRows rows;
    private final OneEnd ends;
    private final Sql lockJob;
    private final Sql findJob;

    AnsweredRows(Transactions transactions, Database database, Queues queues, JobRows rows) {
        this.transactions = transactions;
        this.database = database;
        this.rows = rows;
        this.ends = OneEnd.inAny(database, queues);
        this.lockJob = database.sql(database.dialect().byHand().lockJob());
        this.findJob = database.sql(database.dialect().reads().findJob());
    }

    AnswerResult answer(JobId id, Function<Job, @Nullable Completion> end, Consumer<Completion> committed) {
        return transactions.callers("answering job " + id, DueSink.NONE, run -> {
            List<Job> locked = database.query(lockJob, id(id), rows::unfinished);
            if (locked.isEmpty()) {
                return endedBefore(id);
            }
            Completion written = end.apply(locked.get(0));
            if (written == null) {
                return AnswerResult.NOT_AWAITED;
            }
            if (ends.write(written, locked.get(0)) == CompletionResult.FENCED) {
                throw new ConcurrencyFailureException(
                        "Job %s was locked, but its row could not be changed: check that delayjob's user may change and delete rows of the job table."
                                .formatted(id));
            }
            run.onCommit(() -> committed.accept(written));
            return written.cancels() ? AnswerResult.CANCELLED : AnswerResult.TAKEN;
        });
    }

    private AnswerResult endedBefore(JobId id) {
        return database.query(findJob, id(id), rows::any).stream()
                .findFirst()
                .map(job -> job.state() == JobState.CANCELLED ? AnswerResult.CANCELLED : AnswerResult.NOT_AWAITED)
                .orElse(AnswerResult.NOT_FOUND);
    }

    private static Parameters id(JobId id) {
        return Parameters.none().set("id", id.value());
    }
}
