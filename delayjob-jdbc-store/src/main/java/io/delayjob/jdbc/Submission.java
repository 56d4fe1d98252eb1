package io.delayjob.jdbc;

import io.delayjob.jdbc.dialect.Dialect;
import io.delayjob.jdbc.dialect.StoredState;
import io.delayjob.job.DueRow;
import io.delayjob.job.DueSink;
import io.delayjob.job.JobExistsException;
import io.delayjob.job.JobId;
import io.delayjob.job.JobState;
import io.delayjob.job.NewJob;
import io.delayjob.job.OnExisting;
import io.delayjob.job.Scheduled;
import io.delayjob.job.Scheduled.Outcome;
import io.delayjob.store.StoreException;
import java.sql.SQLException;
import java.sql.Savepoint;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Collection;
import java.util.Comparator;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.Set;
import java.util.function.Function;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;
import org.springframework.dao.ConcurrencyFailureException;
import org.springframework.dao.DuplicateKeyException;

/**
 * Writes new jobs. That a (name, key) has one unfinished job is the unique constraint's doing; which rows a statement
 * affected tells what it decided:
 *
 * <pre>
 *   insert whatever has a free key ──── affected: CREATED
 *      │ not affected: the key is taken
 *      ├─ KEEP, FAIL: read the existing job ──── found: KEPT, or refused
 *      ├─ REPLACE, POSTPONE: update the waiting job ──── affected: REPLACED, POSTPONED
 *      │                     take the key from the running job
 *      └─ whatever is left: its opponent has just gone, begin again
 * </pre>
 *
 * <p>The constraint's error is never provoked where the database can do without: it would break the caller's
 * transaction. A batch that holds a key more than once is written in waves, each of which holds it once.
 */
final class Submission {

    /** Each further round needs an opponent that came and went within the one before. */
    private static final int MAX_ROUNDS = 20;

    /** A stream takes three round trips more than an INSERT: over a network fewer jobs do not make up for them. */
    private static final int COPIED_FROM = 500;

    /** Lone jobs wait so long at the most for others' statements: most take less, and few who schedule mind so little. */
    private static final Duration SHARING_PATIENCE = Duration.ofMillis(2);

    /** A column of texts that many jobs have none of. */
    private record Text(String column, Function<NewJob, @Nullable String> of) {}

    private static final List<Text> TEXTS = List.of(
            new Text("payload", NewJob::payload),
            new Text("schedule", NewJob::schedule),
            new Text("retry", NewJob::retry),
            new Text("trace", NewJob::trace));

    private record NameAndKey(String name, String key) {}

    private record Existing(NameAndKey key, JobId id, JobState state) {}

    private record Moved(DueRow row, String key) {}

    /** What a batch came to: a result for each job and the rows that were written, or the first job that was refused. */
    private record Answer(
            List<Scheduled> results,
            List<DueRow> written,
            @Nullable NewJob refused) {

        static Answer creating(List<NewJob> jobs) {
            return new Answer(
                    jobs.stream().map(Submission::created).toList(),
                    jobs.stream().map(NewJob::toDueRow).toList(),
                    null);
        }

        static Answer refusing(NewJob job) {
            return new Answer(List.of(), List.of(), job);
        }
    }

    private final Transactions transactions;
    private final Database database;
    private final Queues queues;
    private final JobRows rows;
    private final JobLocator locator;
    private final Database.Steps insert;
    private final Database.@Nullable Steps insertOne;
    private final Database.@Nullable Steps insertUnkeyed;
    private final Database.@Nullable Steps insertUnkeyedOne;
    private final @Nullable GroupCommit<NewJob> loneJobs;
    private final Database.@Nullable Copy copyUnkeyed;
    private final Database.Steps replace;
    private final Database.Steps postpone;
    private final Database.Steps takeKeys;
    private final Sql findKeys;
    private final Sql findLatestKeys;

    Submission(Transactions transactions, Database database, Queues queues, JobRows rows, JobLocator locator) {
        Dialect dialect = database.dialect();
        this.transactions = transactions;
        this.database = database;
        this.queues = queues;
        this.rows = rows;
        this.locator = locator;
        this.insert = database.keptSteps(dialect.insertJobs());
        this.insertOne = database.keptStepsIfAny(dialect.insertJob());
        this.insertUnkeyed = database.keptStepsIfAny(dialect.insertUnkeyedJobs());
        this.insertUnkeyedOne = database.keptStepsIfAny(dialect.insertUnkeyedJob());
        this.loneJobs = insertUnkeyed == null
                ? null
                : new GroupCommit<>(jobs -> insertUnkeyed(jobs, insertUnkeyed), SHARING_PATIENCE);
        this.copyUnkeyed = database.copyIfAny(dialect.copyUnkeyedJobs());
        this.replace = database.steps(dialect.replaceJobs());
        this.postpone = database.steps(dialect.postponeJobs());
        this.takeKeys = database.steps(dialect.takeKeys());
        this.findKeys = database.sql(dialect.findKeys());
        this.findLatestKeys = database.sql(dialect.findLatestKeys());
    }

    List<Scheduled> submit(List<NewJob> jobs, DueSink committed) {
        if (jobs.isEmpty()) {
            return List.of();
        }
        // Ahead of the transaction, for a new queue takes one of its own.
        jobs.forEach(job -> queues.numberOf(job.partition().queue()));
        Answer answer = transactions.submitting(
                jobs.size() == 1 ? "writing a new job" : "writing %d new jobs".formatted(jobs.size()),
                committed,
                atOnce(jobs),
                run -> mayBeRefused(jobs) ? undoingIfRefused(jobs, run) : write(jobs, run),
                this::isThere);
        if (answer.refused() != null) {
            throw new JobExistsException(
                    answer.refused().name(),
                    Objects.requireNonNull(answer.refused().key()));
        }
        return answer.results();
    }

    /** Not with a key: whether that was taken, nobody could tell when the answer is lost. */
    private Transactions.@Nullable AtOnce<NewJob, Answer> atOnce(List<NewJob> jobs) {
        if (loneJobs == null || jobs.size() > 1 || jobs.get(0).key() != null) {
            return null;
        }
        Answer created = Answer.creating(jobs);
        return new Transactions.AtOnce<>(jobs.get(0), loneJobs, created, created.written());
    }

    private static Scheduled created(NewJob job) {
        return new Scheduled(job.id(), Outcome.CREATED, JobState.DELAYED);
    }

    private static boolean mayBeRefused(List<NewJob> jobs) {
        return jobs.size() > 1
                && jobs.stream().anyMatch(job -> job.key() != null && job.onExisting() == OnExisting.FAIL);
    }

    /** A savepoint, so that a refused batch leaves nothing behind while the caller's transaction stays usable. */
    private Answer undoingIfRefused(List<NewJob> jobs, Transactions.Run run) {
        Savepoint before = database.savepoint();
        Answer answer = write(jobs, run);
        if (answer.refused() == null) {
            database.releaseSavepoint(before);
        } else {
            database.rollbackTo(before);
        }
        return answer;
    }

    private Answer write(List<NewJob> jobs, Transactions.Run run) {
        Answer answer = insertUnkeyed != null && jobs.stream().allMatch(job -> job.key() == null)
                ? writeUnkeyed(jobs, insertUnkeyed)
                : writeKeyed(jobs, run);
        run.leavesWaiting(answer.written());
        return answer;
    }

    private Answer writeUnkeyed(List<NewJob> jobs, Database.Steps insertUnkeyed) {
        if (!copied(jobs)) {
            insertUnkeyed(jobs, insertUnkeyed);
        }
        return Answer.creating(jobs);
    }

    private void insertUnkeyed(List<NewJob> jobs, Database.Steps insertUnkeyed) {
        database.run(insertUnkeyed, insertUnkeyedOne, bound(jobs), JobRows::id);
    }

    private boolean copied(List<NewJob> jobs) {
        if (copyUnkeyed == null || jobs.size() < COPIED_FROM) {
            return false;
        }
        // Ahead of the stream, which a text that is refused would break off, and with it the caller's transaction.
        List<Text> texts = new ArrayList<>();
        for (Text text : TEXTS) {
            if (isAnyThere(text, jobs)) {
                texts.add(text);
            }
        }
        jobs.forEach(job -> Parameters.wellFormed("name", job.name()));
        return database.copy(
                copyUnkeyed, texts.stream().map(Text::column).toList(), jobs, (job, rows) -> copy(job, texts, rows));
    }

    private static boolean isAnyThere(Text text, List<NewJob> jobs) {
        boolean any = false;
        for (NewJob job : jobs) {
            any |= Parameters.wellFormed(text.column, text.of.apply(job)) != null;
        }
        return any;
    }

    /** In the order of the columns of {@link Dialect#copyUnkeyedJobs()}. */
    private void copy(NewJob job, List<Text> texts, CopiedRows rows) throws SQLException {
        rows.row(7 + texts.size())
                .uuid(job.id().value())
                .integer(queues.idOf(job.partition()))
                .text(job.name())
                .bigint(job.token())
                .bigint(job.scheduledAt().toEpochMilli())
                .bigint(job.plannedAt().toEpochMilli())
                .bigint(job.dueAt().toEpochMilli());
        for (Text text : texts) {
            rows.text(text.of.apply(job));
        }
    }

    private Answer writeKeyed(List<NewJob> jobs, Transactions.Run run) {
        Batch batch = new Batch(run.readsLatest() ? findKeys : findLatestKeys);
        for (Collection<NewJob> wave : waves(jobs)) {
            NewJob refused = batch.settle(wave);
            if (refused != null) {
                return Answer.refusing(refused);
            }
        }
        List<Scheduled> results = jobs.stream()
                .map(job -> Objects.requireNonNull(batch.results.get(job.id())))
                .toList();
        return new Answer(results, List.copyOf(batch.waiting.values()), null);
    }

    /**
     * Whether the batch is in the tables. It was written as a whole, so one of its rows that is there proves it for
     * all: a new one by its id, which nobody else has, one that was replaced or postponed by the token that it was
     * given. What wrote nothing needs no proof.
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

    /** The jobs, split so that no part holds a key twice; in the order in which rows shall be locked. */
    private static List<List<NewJob>> waves(List<NewJob> jobs) {
        List<List<NewJob>> waves = new ArrayList<>();
        Map<NameAndKey, Integer> seen = new HashMap<>();
        for (NewJob job : jobs) {
            int wave =
                    keyOf(job).map(key -> seen.merge(key, 1, Integer::sum) - 1).orElse(0);
            if (wave == waves.size()) {
                waves.add(new ArrayList<>());
            }
            waves.get(wave).add(job);
        }
        // Transactions that take several keys each must take them in one order, or they wait for each other for ever.
        Comparator<NewJob> byKey = Comparator.comparing(NewJob::name)
                .thenComparing(NewJob::key, Comparator.nullsFirst(Comparator.naturalOrder()));
        if (!seen.isEmpty()) {
            waves.forEach(wave -> wave.sort(byKey));
        }
        return waves;
    }

    private static Optional<NameAndKey> keyOf(NewJob job) {
        return Optional.ofNullable(job.key()).map(key -> new NameAndKey(job.name(), key));
    }

    /** One batch on its way into the tables. */
    private final class Batch {
        private final Map<JobId, Scheduled> results = new HashMap<>();
        /** By id, for a job replaced twice waits with its last token only. */
        private final Map<JobId, DueRow> waiting = new LinkedHashMap<>();

        private final Sql findTheirKeys;

        /** @param findTheirKeys shows the jobs that there are now */
        Batch(Sql findTheirKeys) {
            this.findTheirKeys = findTheirKeys;
        }

        /** @return a job that must not be written since its key is taken, if there is one */
        @Nullable
        NewJob settle(Collection<NewJob> wave) {
            Map<JobId, NewJob> open = new LinkedHashMap<>();
            wave.forEach(job -> open.put(job.id(), job));
            for (int round = 1; !open.isEmpty(); round++) {
                if (round > MAX_ROUNDS) {
                    throw new ConcurrencyFailureException(
                            "%d keys changed hands %d times in a row".formatted(open.size(), MAX_ROUNDS));
                }
                insert(round == 1 ? inOneGo(open.values()) : List.copyOf(open.values()), open);
                if (open.isEmpty()) {
                    return null;
                }
                refuseTakenIds(open.values());
                NewJob refused = keep(open);
                if (refused != null) {
                    return refused;
                }
                move(open, OnExisting.REPLACE, replace, Outcome.REPLACED);
                move(open, OnExisting.POSTPONE, postpone, Outcome.POSTPONED);
                takeKeys(open.values());
            }
            return null;
        }

        /**
         * Those whose key seems to be free, where a taken one would keep all others from being inserted. It is a look
         * only: whoever is left out is looked after by its policy, and inserted in the next round if its opponent
         * should be gone.
         */
        private List<NewJob> inOneGo(Collection<NewJob> open) {
            List<NewJob> keyed = open.stream().filter(job -> job.key() != null).toList();
            if (keyed.isEmpty() || !database.dialect().insertsAllOrNothing()) {
                return List.copyOf(open);
            }
            Map<NameAndKey, Existing> existing = existing(findKeys, keyed);
            return open.stream()
                    .filter(job -> keyOf(job).map(existing::get).isEmpty())
                    .toList();
        }

        private void insert(List<NewJob> jobs, Map<JobId, NewJob> open) {
            if (jobs.isEmpty()) {
                return;
            }
            try {
                List<JobId> inserted = database.run(insert, insertOne, bound(jobs), JobRows::id);
                if (database.dialect().insertsAllOrNothing()) {
                    inserted = jobs.stream().map(NewJob::id).toList();
                }
                inserted.forEach(id -> add(Objects.requireNonNull(open.remove(id))));
            } catch (DuplicateKeyException collision) {
                // Only where the database has no ON CONFLICT. The statement has undone itself, the transaction
                // stands, and the opponent's row is there to be seen now.
            }
        }

        private void add(NewJob job) {
            results.put(job.id(), created(job));
            waiting.put(job.id(), job.toDueRow());
        }

        /** An id is made anew for each job; one that is there already is a mistake, and no key's policy mends it. */
        private void refuseTakenIds(Collection<NewJob> jobs) {
            locator.find(jobs, NewJob::id).keySet().stream().findAny().ifPresent(id -> {
                throw StoreException.refused(
                        "Job %s exists already: every new job needs an id of its own.".formatted(id),
                        new IllegalArgumentException("id"));
            });
        }

        private @Nullable NewJob keep(Map<JobId, NewJob> open) {
            List<NewJob> asking = open.values().stream()
                    .filter(job -> job.onExisting() == OnExisting.KEEP || job.onExisting() == OnExisting.FAIL)
                    .toList();
            if (asking.isEmpty()) {
                return null;
            }
            Map<NameAndKey, Existing> existing = existing(findTheirKeys, asking);
            for (NewJob job : asking) {
                Existing other = keyOf(job).map(existing::get).orElse(null);
                if (other == null) {
                    continue;
                }
                if (job.onExisting() == OnExisting.FAIL) {
                    return job;
                }
                open.remove(job.id());
                results.put(job.id(), new Scheduled(other.id(), Outcome.KEPT, other.state()));
            }
            return null;
        }

        private Map<NameAndKey, Existing> existing(Sql find, Collection<NewJob> keyed) {
            Map<NameAndKey, Existing> existing = new HashMap<>();
            database.query(
                            find,
                            keys(keyed),
                            row -> new Existing(
                                    new NameAndKey(row.getString(1), row.getString(2)),
                                    new JobId(Database.uuid(row, 3)),
                                    StoredState.stateOf(row.getInt(4))))
                    .forEach(found -> existing.put(found.key(), found));
            return existing;
        }

        private void move(Map<JobId, NewJob> open, OnExisting policy, Database.Steps script, Outcome outcome) {
            Map<NameAndKey, NewJob> moving = new LinkedHashMap<>();
            open.values().stream()
                    .filter(job -> job.onExisting() == policy)
                    .forEach(job -> keyOf(job).ifPresent(key -> moving.put(key, job)));
            if (moving.isEmpty()) {
                return;
            }
            for (Moved moved :
                    database.run(script, bound(moving.values()), row -> new Moved(rows.due(row), row.getString(6)))) {
                NewJob job = Objects.requireNonNull(
                        moving.get(new NameAndKey(moved.row().name(), moved.key())));
                open.remove(job.id());
                results.put(job.id(), new Scheduled(moved.row().id(), outcome, JobState.DELAYED));
                waiting.put(moved.row().id(), moved.row());
            }
        }

        /** From running jobs; whether that succeeded or they have just gone, the next round inserts. */
        private void takeKeys(Collection<NewJob> open) {
            List<NewJob> takers = open.stream()
                    .filter(job -> job.onExisting() == OnExisting.REPLACE || job.onExisting() == OnExisting.POSTPONE)
                    .toList();
            if (!takers.isEmpty()) {
                database.run(takeKeys, keys(takers), JobRows::id);
            }
        }
    }

    private static Parameters keys(Collection<NewJob> jobs) {
        return Parameters.none().texts("name", jobs, NewJob::name).texts("key", jobs, NewJob::key);
    }

    private Parameters bound(Collection<NewJob> jobs) {
        return keys(jobs)
                .uuids("id", jobs, job -> job.id().value())
                .ints("partition", jobs, job -> queues.idOf(job.partition()))
                .texts("payload", jobs, NewJob::payload)
                .texts("schedule", jobs, NewJob::schedule)
                .texts("retry", jobs, NewJob::retry)
                .texts("trace", jobs, NewJob::trace)
                .longs("token", jobs, NewJob::token)
                .longs("scheduledAt", jobs, job -> job.scheduledAt().toEpochMilli())
                .longs("plannedAt", jobs, job -> job.plannedAt().toEpochMilli())
                .longs("dueAt", jobs, job -> job.dueAt().toEpochMilli());
    }
}
