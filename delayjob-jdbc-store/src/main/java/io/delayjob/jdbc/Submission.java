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
 * Writes new jobs. {@link UnkeyedJobs} writes jobs without keys, and {@link KeyedJobs} writes jobs with keys.
 * Thread-safe.
 */
final class Submission {

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

        /** Returns the refusal as an answer, because an exception would mark the caller's transaction for rollback. */
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
     * Includes the queues of later chain steps, because the transaction that writes such a step may already hold locks.
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
     * Refused jobs must not leave new queues behind. If the transaction can read only an old state of the data, the
     * keys are not checked.
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

    Scheduled submitOnce(NewJob job, DueSink committed) {
        Set<String> newQueues = newQueues(List.of(job));
        if (!newQueues.isEmpty()) {
            Optional<RuntimeException> refusal = foreseenRefusal(List.of(job));
            // The id is read after this check, because a job with this id may have ended meanwhile, together with its
            // group.
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
     * Reads the id again after the write, because another caller's job with this id may have ended since the first
     * read.
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

    /** The rollback also removes a group that was written for this job. */
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
     * Returns {@code null} if the jobs need a transaction. A job with a key needs a transaction. Otherwise, a lost
     * answer could not be resolved.
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

    private static boolean mayBeRefusedLate(List<NewJob> jobs) {
        boolean byKey = jobs.stream().anyMatch(job -> job.key() != null && job.onExisting() == OnExisting.FAIL);
        return jobs.size() > 1 ? byKey || GroupMembers.areAny(jobs) : byKey && GroupMembers.areAny(jobs);
    }

    /** The savepoint keeps the caller's transaction usable if the batch is refused. */
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

    /** Every new job needs a new id, even if its policy allows the key of another job. */
    private @Nullable Answer refuseTakenIds(Collection<NewJob> jobs) {
        locator.find(jobs, NewJob::id).keySet().stream().findAny().ifPresent(id -> {
            throw StoreException.refused("Job %s exists already: every new job must have its own id.".formatted(id));
        });
        return null;
    }

    /**
     * If one row of the batch exists, the whole batch was written. A created row is recognized by its id. Any other row
     * is recognized by its new token.
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
