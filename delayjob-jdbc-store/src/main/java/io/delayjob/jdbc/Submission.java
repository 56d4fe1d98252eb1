package io.delayjob.jdbc;

import io.delayjob.job.DueRow;
import io.delayjob.job.GroupEndedException;
import io.delayjob.job.JobExtras;
import io.delayjob.job.JobId;
import io.delayjob.job.JobState;
import io.delayjob.job.NewJob;
import io.delayjob.job.OnExisting;
import io.delayjob.job.Scheduled;
import io.delayjob.job.Scheduled.Outcome;
import io.delayjob.store.DueSink;
import io.delayjob.store.StoreException;
import java.sql.Savepoint;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;

/**
 * Writes new jobs. Uses {@link UnkeyedJobs} for jobs without keys, and {@link KeyedJobs} for jobs with keys.
 * Thread-safe.
 */
final class Submission {

    /**
     * The outcome of a batch: a result for each job and the rows that were written, or the reason why the batch was
     * refused.
     */
    record Answer(
            List<Scheduled> results,
            List<DueRow> written,
            @Nullable RuntimeException refusal) {

        static Answer creating(List<NewJob> jobs) {
            return new Answer(
                    jobs.stream().map(Submission::created).toList(),
                    jobs.stream().map(NewJob::toDueRow).toList(),
                    null);
        }

        static Answer keeping(JobLocator.Located row) {
            return new Answer(List.of(row.kept()), List.of(), null);
        }

        /** Makes the outcome of a batch that writes nothing. The caller's transaction stays usable. */
        static Answer refusing(RuntimeException refusal) {
            return new Answer(List.of(), List.of(), refusal);
        }
    }

    private final Transactions transactions;
    private final Database database;
    private final Queues queues;
    private final JobLocator locator;
    private final KeyedJobs keyedJobs;
    private final @Nullable UnkeyedJobs unkeyedJobs;
    private final GroupMembers members;

    Submission(Transactions transactions, Database database, Queues queues, JobRows rows, JobLocator locator) {
        NewJobParameters parameters = new NewJobParameters(queues);
        this.transactions = transactions;
        this.database = database;
        this.queues = queues;
        this.locator = locator;
        this.members = new GroupMembers(database);
        this.keyedJobs = new KeyedJobs(database, parameters, rows, locator);
        this.unkeyedJobs = UnkeyedJobs.ifAny(database, queues, parameters);
    }

    List<Scheduled> submit(List<NewJob> jobs, DueSink committed) {
        if (jobs.isEmpty()) {
            return List.of();
        }
        numberQueues(jobs);
        Answer answer = transactions.submitting(
                jobs.size() == 1 ? "writing a new job" : "writing %d new jobs".formatted(jobs.size()),
                committed,
                atOnce(jobs),
                run -> mayBeRefused(jobs) ? undoingIfRefused(jobs, run) : write(jobs, run),
                this::isThere);
        return unlessRefused(answer);
    }

    /**
     * Gives numbers to the queues of these jobs and of the jobs that follow them. Called before the transaction,
     * because a new queue needs its own transaction. A following job must not get its number only when its row is
     * written, because the transaction may already hold a row then.
     */
    private void numberQueues(List<NewJob> jobs) {
        for (NewJob job : jobs) {
            queues.numberOf(job.partition().queue());
            JobExtras.parse(job.extras()).steps().forEach(step -> queues.numberOf(step.queue()));
        }
    }

    private static List<Scheduled> unlessRefused(Answer answer) {
        if (answer.refusal() != null) {
            throw answer.refusal();
        }
        return answer.results();
    }

    /** See {@link io.delayjob.store.JobSubmission#submitOnce}. */
    Scheduled submitOnce(NewJob job, DueSink committed) {
        numberQueues(List.of(job));
        Answer answer = transactions.submitting(
                "writing a new job with a given id",
                committed,
                null,
                run -> {
                    Answer kept = keptById(job);
                    return kept != null ? kept : writeOnce(job, run);
                },
                this::isThere);
        return unlessRefused(answer).get(0);
    }

    /**
     * Writes the job, and then reads its id a second time. Since the first read, another caller may have written a job
     * with this id, and the job may have run and ended, and its group with it. The second read finds such a job in the
     * history. The row in the history was committed before the new row could be inserted, and before the group ended.
     */
    private Answer writeOnce(NewJob job, Transactions.Run run) {
        GroupEndedException tooLate = members.refusal(List.of(job));
        if (tooLate != null) {
            Answer kept = keptById(job);
            return kept != null ? kept : Answer.refusing(tooLate);
        }
        Savepoint before = database.savepoint();
        Answer answer;
        try {
            answer = keyedJobs.write(List.of(job), run);
        } catch (StoreException taken) {
            Answer kept = keptById(job);
            if (kept == null) {
                throw taken;
            }
            return kept;
        }
        Answer ended = answer.written().isEmpty() ? null : endedById(job);
        if (ended != null) {
            database.rollbackTo(before);
            return ended;
        }
        database.releaseSavepoint(before);
        count(List.of(job), answer);
        run.leavesWaiting(answer.written());
        return answer;
    }

    /** Counts the created jobs that are members of groups. */
    private void count(List<NewJob> jobs, Answer answer) {
        if (GroupMembers.areAny(jobs)) {
            members.begin(
                    jobs,
                    answer.results().stream()
                            .filter(result -> result.outcome() == Outcome.CREATED)
                            .map(Scheduled::id)
                            .collect(Collectors.toSet()));
        }
    }

    private @Nullable Answer keptById(NewJob job) {
        return locator.find(List.of(job), NewJob::id).values().stream()
                .findAny()
                .map(Answer::keeping)
                .orElse(null);
    }

    private @Nullable Answer endedById(NewJob job) {
        return locator.rows(List.of(job), NewJob::id).stream()
                .filter(row -> row.state().isEnded())
                .findAny()
                .map(Answer::keeping)
                .orElse(null);
    }

    /**
     * Returns the job that a single statement may write, or {@code null}. A job with a key needs a transaction: if the
     * answer to the statement were lost, nothing would tell whether the key was taken. A job with a group needs one,
     * too, because the group must be locked before.
     */
    private LoneStatements.@Nullable AtOnce<NewJob, Answer> atOnce(List<NewJob> jobs) {
        if (unkeyedJobs == null || jobs.size() > 1 || jobs.get(0).key() != null || GroupMembers.areAny(jobs)) {
            return null;
        }
        Answer created = Answer.creating(jobs);
        return new LoneStatements.AtOnce<>(jobs.get(0), unkeyedJobs.loneJobs(), created, created.written());
    }

    static Scheduled created(NewJob job) {
        return new Scheduled(job.id(), Outcome.CREATED, JobState.DELAYED);
    }

    private static boolean mayBeRefused(List<NewJob> jobs) {
        return jobs.size() > 1
                && jobs.stream().anyMatch(job -> job.key() != null && job.onExisting() == OnExisting.FAIL);
    }

    /**
     * Writes after a savepoint. So a refused batch writes nothing, and the caller's transaction stays usable.
     */
    private Answer undoingIfRefused(List<NewJob> jobs, Transactions.Run run) {
        Savepoint before = database.savepoint();
        Answer answer = write(jobs, run);
        if (answer.refusal() == null) {
            database.releaseSavepoint(before);
        } else {
            database.rollbackTo(before);
        }
        return answer;
    }

    private Answer write(List<NewJob> jobs, Transactions.Run run) {
        GroupEndedException tooLate = members.refusal(jobs);
        if (tooLate != null) {
            return Answer.refusing(tooLate);
        }
        Answer answer;
        if (unkeyedJobs != null && jobs.stream().allMatch(job -> job.key() == null)) {
            unkeyedJobs.write(jobs);
            answer = Answer.creating(jobs);
        } else {
            answer = keyedJobs.write(jobs, run);
        }
        count(jobs, answer);
        run.leavesWaiting(answer.written());
        return answer;
    }

    /**
     * Tells whether the batch is in the tables. It looks for one row, because the batch was written as a whole. A new
     * row is found by its id, a replaced or postponed row by its new token. If a batch wrote no rows, nothing needs to
     * be proved.
     */
    private boolean isThere(Answer answer) {
        Map<JobId, JobLocator.Located> found = locator.find(answer.written(), DueRow::id);
        Set<JobId> created = answer.results().stream()
                .filter(result -> result.outcome() == Outcome.CREATED)
                .map(Scheduled::id)
                .collect(Collectors.toSet());
        return answer.written().isEmpty()
                || answer.written().stream().anyMatch(row -> {
                    JobLocator.Located there = found.get(row.id());
                    return there != null && (created.contains(row.id()) || there.token() == row.token());
                });
    }
}
