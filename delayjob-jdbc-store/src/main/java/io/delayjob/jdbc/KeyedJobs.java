package io.delayjob.jdbc;

import io.delayjob.internal.jdbc.dialect.StoredState;
import io.delayjob.internal.jdbc.dialect.SubmissionSql;
import io.delayjob.job.DueRow;
import io.delayjob.job.GroupRef;
import io.delayjob.job.JobExistsException;
import io.delayjob.job.JobExtras;
import io.delayjob.job.JobId;
import io.delayjob.job.JobState;
import io.delayjob.job.NewJob;
import io.delayjob.job.OnExisting;
import io.delayjob.job.Scheduled;
import io.delayjob.job.Scheduled.Outcome;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.util.ArrayList;
import java.util.Collection;
import java.util.Comparator;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import org.jspecify.annotations.Nullable;
import org.springframework.dao.ConcurrencyFailureException;
import org.springframework.dao.DuplicateKeyException;

/**
 * Writes new jobs with keys that other jobs may already have. A unique constraint allows one unfinished job for each
 * (name, key). The changed rows tell which jobs the constraint has allowed:
 *
 * <pre>
 *   insert every job with a free key ──── affected: CREATED
 *      │ not affected: the key is taken
 *      ├─ KEEP, FAIL: read the existing job ──── found: KEPT, or refused
 *      ├─ REPLACE, POSTPONE: update the waiting job ──── affected: REPLACED, POSTPONED
 *      │                     take the key from the running job, or from one that awaits an answer
 *      └─ otherwise the job with the key has just gone: begin again
 * </pre>
 *
 * <p>An error of the constraint would end the caller's transaction, so the statements avoid such errors where they can.
 * Thread-safe.
 */
final class KeyedJobs {

    /**
     * The first round may write no job, and only prepare the second round. Any other round fails only if a key is taken
     * and freed during this round.
     */
    private static final int MAX_ROUNDS = 20;

    /**
     * Maximum number of characters of the jobs in one statement. MariaDB refuses a statement of more than 16 MB, unless
     * its settings allow longer statements. A character takes at most 7 bytes of a statement.
     */
    private static final int MAX_LENGTH = 2_000_000;

    @FunctionalInterface
    interface TakenIds {
        /** {@code null} if none of these new jobs has the id of an existing job. */
        Submission.@Nullable Answer answerTo(Collection<NewJob> jobs);
    }

    private record NameAndKey(String name, String key) {}

    private record Existing(NameAndKey key, JobId id, JobState state) {}

    private record Moved(DueRow row, String key) {}

    private record Member(NameAndKey key, @Nullable GroupRef group) {

        static Member of(ResultSet row) throws SQLException {
            return new Member(new NameAndKey(row.getString(1), row.getString(2)), JobExtras.groupOf(row.getString(3)));
        }
    }

    private final Database database;
    private final NewJobParameters parameters;
    private final JobRows rows;
    private final Database.Batched insert;
    private final boolean insertsAllOrNothing;
    private final Database.Steps replace;
    private final Database.Steps postpone;
    private final Database.Steps takeKeys;
    private final Sql findKeys;
    private final Sql findLatestKeys;
    private final Sql lockWaiting;

    KeyedJobs(Database database, NewJobParameters parameters, JobRows rows) {
        SubmissionSql sql = database.dialect().submission();
        this.database = database;
        this.parameters = parameters;
        this.rows = rows;
        this.insert = database.kept(sql.insertJobs(), sql.insertJob());
        this.insertsAllOrNothing = sql.insertsAllOrNothing();
        this.replace = database.steps(sql.replaceJobs());
        this.postpone = database.steps(sql.postponeJobs());
        this.takeKeys = database.steps(sql.takeKeys());
        this.findKeys = database.sql(sql.findKeys());
        this.findLatestKeys = database.sql(sql.findLatestKeys());
        this.lockWaiting = database.sql(sql.lockWaiting());
    }

    /**
     * If a job is refused, some jobs may be written already, so the caller must roll back.
     *
     * @param takenIds tells whether a job that was not inserted has the id of an existing job
     */
    Submission.Answer write(List<NewJob> jobs, Transactions.Run run, TakenIds takenIds) {
        Batch batch = new Batch(run.readsLatest() ? findKeys : findLatestKeys, takenIds);
        for (Collection<NewJob> wave : waves(jobs)) {
            Submission.Answer instead = batch.settle(wave);
            if (instead != null) {
                return instead;
            }
        }
        List<Scheduled> results = jobs.stream()
                .map(job -> Objects.requireNonNull(batch.results.get(job.id())))
                .toList();
        return new Submission.Answer(results, List.copyOf(batch.waiting.values()), null);
    }

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
        // All transactions must take keys in the same order, so that none waits for ever.
        Comparator<NewJob> byKey = Comparator.comparing(NewJob::name)
                .thenComparing(NewJob::key, Comparator.nullsFirst(Comparator.naturalOrder()));
        if (!seen.isEmpty()) {
            waves.forEach(wave -> wave.sort(byKey));
        }
        return waves.stream()
                .flatMap(wave -> BatchParts.of(wave, MAX_LENGTH).stream())
                .toList();
    }

    private static Optional<NameAndKey> keyOf(NewJob job) {
        return Optional.ofNullable(job.key()).map(key -> new NameAndKey(job.name(), key));
    }

    Optional<JobExistsException> foreseenRefusal(List<NewJob> jobs) {
        List<NewJob> failing = jobs.stream()
                .filter(job -> job.key() != null && job.onExisting() == OnExisting.FAIL)
                .toList();
        return failing.isEmpty()
                ? Optional.empty()
                : existing(findKeys, failing).keySet().stream()
                        .findFirst()
                        .map(taken -> new JobExistsException(taken.name(), taken.key()));
    }

    private Map<NameAndKey, Existing> existing(Sql find, Collection<NewJob> keyed) {
        Map<NameAndKey, Existing> existing = new HashMap<>();
        database.query(
                        find,
                        NewJobParameters.keys(keyed),
                        row -> new Existing(
                                new NameAndKey(row.getString(1), row.getString(2)),
                                new JobId(Database.uuid(row, 3)),
                                StoredState.stateOf(row.getInt(4))))
                .forEach(found -> existing.put(found.key(), found));
        return existing;
    }

    private final class Batch {
        private final Map<JobId, Scheduled> results = new HashMap<>();
        /** If a job is replaced twice, only its last row counts, because only the last token is valid. */
        private final Map<JobId, DueRow> waiting = new LinkedHashMap<>();

        private final Sql findTheirKeys;
        private final TakenIds takenIds;

        Batch(Sql findTheirKeys, TakenIds takenIds) {
            this.findTheirKeys = findTheirKeys;
            this.takenIds = takenIds;
        }

        /** Returns {@code null} unless a taken id or key decides the result of the whole batch. */
        Submission.@Nullable Answer settle(Collection<NewJob> wave) {
            Map<JobId, NewJob> open = new LinkedHashMap<>();
            wave.forEach(job -> open.put(job.id(), job));
            for (int round = 1; !open.isEmpty(); round++) {
                if (round > MAX_ROUNDS) {
                    throw new ConcurrencyFailureException(
                            "Other jobs took %d keys %d times in a row, so the new jobs were not written."
                                    .formatted(open.size(), MAX_ROUNDS));
                }
                insert(round == 1 ? inOneGo(open.values()) : List.copyOf(open.values()), open);
                if (open.isEmpty()) {
                    return null;
                }
                Submission.Answer taken = takenIds.answerTo(open.values());
                if (taken != null) {
                    return taken;
                }
                NewJob refused = keep(open);
                if (refused != null) {
                    return Submission.Answer.refusing(
                            new JobExistsException(refused.name(), Objects.requireNonNull(refused.key())));
                }
                List<NewJob> replacing = having(OnExisting.REPLACE, open);
                move(round == 1 ? replacing : inGroups(replacing), open, replace, Outcome.REPLACED);
                move(having(OnExisting.POSTPONE, open), open, postpone, Outcome.POSTPONED);
                takeKeys(open.values());
            }
            return null;
        }

        /**
         * Returns the jobs to insert. Some databases insert either all jobs or no job. On these databases, the method
         * leaves out the jobs whose keys are taken.
         */
        private List<NewJob> inOneGo(Collection<NewJob> open) {
            List<NewJob> keyed = open.stream().filter(job -> job.key() != null).toList();
            if (keyed.isEmpty() || !insertsAllOrNothing) {
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
                List<JobId> inserted = database.run(insert, parameters.of(jobs), JobRows::id);
                if (insertsAllOrNothing) {
                    inserted = jobs.stream().map(NewJob::id).toList();
                }
                inserted.forEach(id -> add(Objects.requireNonNull(open.remove(id))));
            } catch (DuplicateKeyException collision) {
                // Only a database without ON CONFLICT reports this error. The transaction continues.
            }
        }

        private void add(NewJob job) {
            results.put(job.id(), Submission.created(job));
            waiting.put(job.id(), job.toDueRow());
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

        private List<NewJob> having(OnExisting policy, Map<JobId, NewJob> open) {
            return open.values().stream()
                    .filter(job -> job.onExisting() == policy && job.key() != null)
                    .toList();
        }

        private void move(List<NewJob> jobs, Map<JobId, NewJob> open, Database.Steps script, Outcome outcome) {
            Map<NameAndKey, NewJob> moving = new LinkedHashMap<>();
            jobs.forEach(job -> keyOf(job).ifPresent(key -> moving.put(key, job)));
            if (moving.isEmpty()) {
                return;
            }
            for (Moved moved : database.run(
                    script, parameters.of(moving.values()), row -> new Moved(rows.due(row), row.getString(7)))) {
                NewJob job = Objects.requireNonNull(
                        moving.get(new NameAndKey(moved.row().name(), moved.key())));
                open.remove(job.id());
                results.put(job.id(), new Scheduled(moved.row().id(), outcome, JobState.DELAYED));
                waiting.put(moved.row().id(), moved.row());
            }
        }

        /**
         * If a new job replaces a member of a group, the new job gets the same group. The replaced row keeps its id, so
         * the row must stay in its group.
         */
        private List<NewJob> inGroups(Collection<NewJob> replacing) {
            if (replacing.isEmpty()) {
                return List.of();
            }
            Map<NameAndKey, GroupRef> groups = new HashMap<>();
            database.query(lockWaiting, NewJobParameters.keys(replacing), Member::of).stream()
                    .filter(member -> member.group() != null)
                    .forEach(member -> groups.put(member.key(), Objects.requireNonNull(member.group())));
            return replacing.stream()
                    .map(job -> keyOf(job)
                            .map(groups::get)
                            .map(group -> job.with(job.task()
                                    .withExtras(JobExtras.parse(job.extras())
                                            .withGroup(group)
                                            .toText())))
                            .orElse(job))
                    .toList();
        }

        private void takeKeys(Collection<NewJob> open) {
            List<NewJob> takers = open.stream()
                    .filter(job -> job.onExisting() == OnExisting.REPLACE || job.onExisting() == OnExisting.POSTPONE)
                    .toList();
            if (!takers.isEmpty()) {
                database.run(takeKeys, NewJobParameters.keys(takers), JobRows::id);
            }
        }
    }
}
