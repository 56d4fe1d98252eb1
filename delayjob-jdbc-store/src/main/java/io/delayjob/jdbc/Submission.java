package io.delayjob.jdbc;

import io.delayjob.job.ChainStep;
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
import java.util.Collection;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/**
 * Writes new jobs. The class uses {@link UnkeyedJobs} for jobs without keys, and {@link KeyedJobs} for jobs with keys.
 * Thread-safe.
 */
final class Submission {

    /**
     * The outcome of a batch. If the batch was accepted, the outcome contains a result for each job, and the rows that
     * were written. Otherwise it contains the reason for the refusal.
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

        /**
         * Creates the outcome of a refused batch. The refusal is thrown only after the work, because an exception
         * within the work would mark the caller's transaction for rollback.
         */
        static Answer refusing(RuntimeException refusal) {
            return new Answer(List.of(), List.of(), refusal);
        }
    }

    private final Transactions transactions;
    private final Database database;
    private final Queues queues;
    private final JobLocator locator;
    private final GivenIds givenIds;
    private final KeyedJobs keyedJobs;
    private final @Nullable UnkeyedJobs unkeyedJobs;
    private final GroupMembers members;

    Submission(Transactions transactions, Database database, Queues queues, JobRows rows, JobLocator locator) {
        NewJobParameters parameters = new NewJobParameters(queues);
        this.transactions = transactions;
        this.database = database;
        this.queues = queues;
        this.locator = locator;
        this.givenIds = new GivenIds(transactions, locator);
        this.members = new GroupMembers(database);
        this.keyedJobs = new KeyedJobs(database, parameters, rows);
        this.unkeyedJobs = UnkeyedJobs.ifAny(database, queues, parameters);
    }

    List<Scheduled> submit(List<NewJob> jobs, DueSink committed) {
        if (jobs.isEmpty()) {
            return List.of();
        }
        Set<String> newQueues = newQueues(jobs);
        if (!newQueues.isEmpty()) {
            Optional<RuntimeException> refusal = foreseenRefusal(jobs);
            if (refusal.isPresent()) {
                throw refusal.get();
            }
            newQueues.forEach(queues::numberOf);
        }
        Answer answer = transactions.submitting(
                jobs.size() == 1 ? "writing a new job" : "writing %d new jobs".formatted(jobs.size()),
                committed,
                atOnce(jobs),
                run -> mayBeRefusedLate(jobs) ? undoingIfRefused(jobs, run) : write(jobs, run),
                this::isThere);
        return unlessRefused(answer);
    }

    /**
     * Returns the queues of these jobs and of their later chain steps, but leaves out queues with a cached number. A
     * new queue gets its number in a separate transaction, before the transaction of the jobs begins. The queues of
     * later steps are included, too. One transaction ends a step and writes the next step. This transaction cannot get
     * a number for a queue, because it may already have locked a row.
     */
    private Set<String> newQueues(List<NewJob> jobs) {
        return jobs.stream()
                .flatMap(Submission::queuesOf)
                .filter(queue -> !queues.isKnown(queue))
                .collect(Collectors.toSet());
    }

    private static Stream<String> queuesOf(NewJob job) {
        Stream<String> followers =
                JobExtras.parse(job.extras()).steps().stream().map(ChainStep::queue);
        return Stream.concat(Stream.of(job.partition().queue()), followers);
    }

    /**
     * Returns the reason why the store would refuse these jobs now. New queues get their numbers only after this check.
     * If they got numbers before, the numbers would remain even if the jobs were refused. A transaction may show only
     * the state at its beginning. Such a transaction does not show which keys are taken now, so this method checks no
     * keys in it.
     */
    private Optional<RuntimeException> foreseenRefusal(List<NewJob> jobs) {
        return transactions.reading(
                "looking for new jobs that must be refused",
                () -> members.foreseenRefusal(jobs)
                        .<RuntimeException>map(ended -> ended)
                        .or(() -> transactions.readsLatest() ? keyedJobs.foreseenRefusal(jobs) : Optional.empty()));
    }

    private static List<Scheduled> unlessRefused(Answer answer) {
        if (answer.refusal() != null) {
            throw answer.refusal();
        }
        return answer.results();
    }

    /** See {@link io.delayjob.store.JobSubmission#submitOnce}. */
    Scheduled submitOnce(NewJob job, DueSink committed) {
        Set<String> newQueues = newQueues(List.of(job));
        if (!newQueues.isEmpty()) {
            Optional<RuntimeException> refusal = foreseenRefusal(List.of(job));
            // The id is looked for only after this check, because a job with this id may have ended meanwhile, together
            // with its group.
            Optional<Answer> kept =
                    transactions.reading("looking for a job by its id", () -> Optional.ofNullable(keptById(job)));
            if (kept.isPresent()) {
                return kept.get().results().get(0);
            }
            if (refusal.isPresent()) {
                throw refusal.get();
            }
            newQueues.forEach(queues::numberOf);
        }
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
     * with the same id. That job and its group may even have ended already. In that case, the second read finds the
     * other caller's job in the history. Its row there was committed before the new row could be inserted, and before
     * the group ended.
     */
    private Answer writeOnce(NewJob proposed, Transactions.Run run) {
        Savepoint before = database.savepoint();
        GroupMembers.Entered entered = members.entered(List.of(proposed));
        NewJob job = entered.jobs().get(0);
        GroupEndedException tooLate = members.refusal(List.of(job));
        if (tooLate != null) {
            Answer kept = keptById(job);
            return instead(before, kept != null ? kept : Answer.refusing(tooLate));
        }
        Answer answer = keyedJobs.write(List.of(job), run, notInserted -> keptById(job));
        Answer kept = answer.written().isEmpty() ? answer : endedById(job);
        if (kept != null) {
            return instead(before, kept);
        }
        database.releaseSavepoint(before);
        count(entered, answer);
        run.leavesWaiting(answer.written());
        return answer;
    }

    /**
     * Rolls back to the savepoint, and returns {@code answer}. The rollback also removes a group that was written for
     * this job.
     */
    private Answer instead(Savepoint before, Answer answer) {
        database.rollbackTo(before);
        return answer;
    }

    private void count(GroupMembers.Entered entered, Answer answer) {
        if (GroupMembers.areAny(entered.jobs())) {
            Set<JobId> created = answer.results().stream()
                    .filter(result -> result.outcome() == Outcome.CREATED)
                    .map(Scheduled::id)
                    .collect(Collectors.toSet());
            members.begin(entered.jobs(), created);
            members.forgetEmpty(entered, created);
        }
    }

    private @Nullable Answer keptById(NewJob job) {
        return givenIds.find(job.id()).map(Answer::keeping).orElse(null);
    }

    private @Nullable Answer endedById(NewJob job) {
        return givenIds.findEnded(job.id()).map(Answer::keeping).orElse(null);
    }

    /**
     * Returns the job if a single statement may write it, otherwise {@code null}. A job with a key needs a transaction.
     * If the answer to a single statement is lost, nobody can find out whether another job had the key. A member of a
     * group also needs a transaction, because the group must be locked first.
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

    /** Tells whether a refusal may come late: when the store has already written a job or group of this batch. */
    private static boolean mayBeRefusedLate(List<NewJob> jobs) {
        boolean byKey = jobs.stream().anyMatch(job -> job.key() != null && job.onExisting() == OnExisting.FAIL);
        return jobs.size() > 1 ? byKey || GroupMembers.areAny(jobs) : byKey && GroupMembers.areAny(jobs);
    }

    /**
     * Writes the batch after a savepoint, so that a refused batch writes nothing and the caller's transaction stays
     * usable.
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

    private Answer write(List<NewJob> proposed, Transactions.Run run) {
        GroupMembers.Entered entered = members.entered(proposed);
        List<NewJob> jobs = entered.jobs();
        GroupEndedException tooLate = members.refusal(jobs);
        if (tooLate != null) {
            return Answer.refusing(tooLate);
        }
        Answer answer;
        if (unkeyedJobs != null && jobs.stream().allMatch(job -> job.key() == null)) {
            unkeyedJobs.write(jobs);
            answer = Answer.creating(jobs);
        } else {
            answer = keyedJobs.write(jobs, run, this::refuseTakenIds);
        }
        count(entered, answer);
        run.leavesWaiting(answer.written());
        return answer;
    }

    /**
     * Refuses the call if the id of one of these jobs exists already. Every new job needs a new id, even if its policy
     * allows a taken key.
     */
    private @Nullable Answer refuseTakenIds(Collection<NewJob> jobs) {
        locator.find(jobs, NewJob::id).keySet().stream().findAny().ifPresent(id -> {
            throw StoreException.refused("Job %s exists already: every new job must have its own id.".formatted(id));
        });
        return null;
    }

    /**
     * Tells whether the batch is in the tables. One row is enough, because the batch was written as a whole. The id of
     * a new row shows that the row was written. The new token of a row shows that the row was replaced or postponed. If
     * a batch wrote no rows, nothing needs to be proved.
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
