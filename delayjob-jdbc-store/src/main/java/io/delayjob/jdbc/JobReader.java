package io.delayjob.jdbc;

import io.delayjob.jdbc.dialect.Dialect;
import io.delayjob.jdbc.dialect.StoredState;
import io.delayjob.job.AttemptRecord;
import io.delayjob.job.Job;
import io.delayjob.job.JobId;
import io.delayjob.job.JobState;
import io.delayjob.job.Printable;
import io.delayjob.store.JobPage;
import io.delayjob.store.JobQuery;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Objects;
import java.util.Optional;
import java.util.UUID;

/** What people and applications read, within the caller's transaction if there is one. Thread-safe. */
final class JobReader {

    static final UUID BEFORE_ALL = new UUID(0, 0);

    /** A bounded look: by itself, or after settings that must not outlast it. */
    private record Look(Sql joined, Sql alone) {

        static Look of(Database database, String statement) {
            return new Look(
                    database.sql(statement), database.sql(database.dialect().alongTheIndex() + statement));
        }
    }

    /**
     * A row that was looked at.
     *
     * @param place its place in its table, from 1
     * @param last whether the look ended with it
     */
    private record Looked(Job job, boolean wanted, int place, boolean last) {

        boolean isUnfinished() {
            return job.endedAt() == null;
        }
    }

    private final Transactions transactions;
    private final Database database;
    private final PeoplesReads reads;
    private final JobRows rows;
    private final Sql findJob;
    private final Sql findKey;
    private final Look unfinished;
    private final Look ended;
    private final Look all;
    private final Look ofKey;
    private final Sql findAttempts;

    JobReader(Transactions transactions, Database database, JobRows rows) {
        Dialect dialect = database.dialect();
        this.transactions = transactions;
        this.database = database;
        this.reads = new PeoplesReads(database);
        this.rows = rows;
        this.findJob = database.sql(dialect.findJob());
        this.findKey = database.sql(dialect.findKey());
        this.unfinished = Look.of(database, dialect.lookAtUnfinished());
        this.ended = Look.of(database, dialect.lookAtEnded());
        this.all = Look.of(database, dialect.lookAtAll());
        this.ofKey = Look.of(database, dialect.lookAtKey());
        this.findAttempts = database.sql(dialect.findAttempts());
    }

    Optional<Job> find(JobId id) {
        Parameters parameters = Parameters.none().set("id", id.value());
        return transactions.reading(
                "looking for job " + id,
                () -> database.query(findJob, parameters, rows::any).stream().findFirst());
    }

    Optional<Job> find(String name, String key) {
        Parameters parameters = Parameters.none().set("name", name).set("key", key);
        return transactions.reading(
                "looking for job '%s' with key '%s'".formatted(Printable.of(name), Printable.of(key)),
                () -> database.query(findKey, parameters, rows::any).stream().findFirst());
    }

    JobPage find(JobQuery query, Instant now) {
        Look look = lookOf(query);
        Parameters parameters = parametersOf(query, now);
        String doing = "looking for jobs";
        List<Looked> looked = transactions.reading(
                doing,
                () -> reads.query(doing, look.joined, parameters, this::looked),
                () -> reads.query(doing, look.alone, parameters, this::looked));
        return page(query, looked);
    }

    private Look lookOf(JobQuery query) {
        if (query.isOfOneKey()) {
            return ofKey;
        }
        JobState state = query.state();
        if (state == null) {
            return all;
        }
        return state.isEnded() ? ended : unfinished;
    }

    private static Parameters parametersOf(JobQuery query, Instant now) {
        JobId after = query.afterId();
        Instant endedAt = query.after() == null ? null : query.after().endedAt();
        JobState state = query.state();
        return Parameters.none()
                .set("after", after == null ? BEFORE_ALL : after.value())
                .set("endedAt", endedAt == null ? Long.MIN_VALUE : endedAt.toEpochMilli())
                .set("state", state == null ? null : StoredState.codeOf(state))
                .set("dueFrom", state == JobState.DELAYED ? now.toEpochMilli() + 1 : Long.MIN_VALUE)
                .set("dueUntil", state == JobState.READY ? now.toEpochMilli() : Long.MAX_VALUE)
                .set("name", query.name())
                .set("key", query.key())
                .set("lookAt", query.look())
                // One more than the page holds tells whether there is another page.
                .set("limit", query.limit() + 1);
    }

    /** A job from either table, followed by the columns of the look. */
    private Looked looked(ResultSet row) throws SQLException {
        return new Looked(rows.any(row), row.getBoolean("wanted"), row.getInt("place"), row.getBoolean("is_last"));
    }

    /**
     * A look at two tables shows the jobs up to the end of the shorter one. Further jobs of the other table come with
     * the next page.
     */
    private static JobPage page(JobQuery query, List<Looked> looked) {
        Comparator<Job> order = query.inOrderOfEnds()
                ? Comparator.<Job, Instant>comparing(job -> Objects.requireNonNull(job.endedAt()))
                        .thenComparing(Job::id)
                : Comparator.comparing(Job::id);
        int lookedAt = 0;
        Job horizon = null;
        List<Job> found = new ArrayList<>();
        for (boolean isUnfinished : new boolean[] {true, false}) {
            List<Looked> table = looked.stream()
                    .filter(row -> row.isUnfinished() == isUnfinished)
                    .sorted(Comparator.comparingInt(Looked::place))
                    .toList();
            if (table.isEmpty()) {
                continue;
            }
            table.stream().filter(Looked::wanted).map(Looked::job).forEach(found::add);
            Looked end = table.get(table.size() - 1);
            lookedAt += end.place;
            boolean mayHoldMore = !end.last || end.place == query.look();
            if (mayHoldMore && (horizon == null || order.compare(end.job, horizon) < 0)) {
                horizon = end.job;
            }
        }
        Job seen = horizon;
        List<Job> page = found.stream()
                .filter(job -> seen == null || order.compare(job, seen) <= 0)
                .sorted(order)
                .toList();
        if (page.size() > query.limit()) {
            return new JobPage(page.subList(0, query.limit()), query.behind(page.get(query.limit() - 1)), lookedAt);
        }
        return new JobPage(page, seen == null ? null : query.behind(seen), lookedAt);
    }

    List<AttemptRecord> attempts(JobId id, int limit) {
        Parameters parameters = Parameters.none().set("id", id.value()).set("limit", limit);
        return transactions.reading(
                "reading the attempts of job " + id, () -> database.query(findAttempts, parameters, rows::attempt));
    }
}
