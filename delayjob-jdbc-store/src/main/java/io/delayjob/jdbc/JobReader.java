package io.delayjob.jdbc;

import io.delayjob.jdbc.dialect.Dialect;
import io.delayjob.jdbc.dialect.Direction;
import io.delayjob.jdbc.dialect.StoredState;
import io.delayjob.job.AttemptRecord;
import io.delayjob.job.Job;
import io.delayjob.job.JobId;
import io.delayjob.job.JobState;
import io.delayjob.job.Partition;
import io.delayjob.job.Printable;
import io.delayjob.store.JobFilter;
import io.delayjob.store.JobOrder;
import io.delayjob.store.JobPage;
import io.delayjob.store.JobQuery;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Comparator;
import java.util.List;
import java.util.Optional;
import java.util.OptionalInt;
import java.util.UUID;
import java.util.function.Function;
import java.util.function.Supplier;

/** Reads jobs for people and applications, within the caller's transaction if there is one. Thread-safe. */
final class JobReader {

    private static final String DOING = "looking for jobs";

    static final UUID BEFORE_ALL = new UUID(0, 0);

    private static final UUID AFTER_ALL = new UUID(-1, -1);

    /**
     * A bounded look. {@code joined} runs in the caller's transaction, {@code alone} after settings that must not
     * outlast it.
     */
    private record Look(Sql joined, Sql alone) {

        static Look of(Database database, String statement) {
            return new Look(
                    database.sql(statement),
                    database.sql(database.dialect().reads().alongTheIndex() + statement));
        }
    }

    /** The same look in both directions. */
    private record Looks(Look ascending, Look descending) {

        static Looks of(Database database, Function<Direction, String> statement) {
            return new Looks(
                    Look.of(database, statement.apply(Direction.ASCENDING)),
                    Look.of(database, statement.apply(Direction.DESCENDING)));
        }

        Look of(JobQuery query) {
            return query.order().isReversed() ? descending : ascending;
        }
    }

    /** A look and its parameters. */
    private record Reading(Look look, Parameters parameters) {}

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
    private final Queues queues;
    private final Sql partitionsInUse;
    private final Look due;
    private final Looks unfinished;
    private final Looks ended;
    private final Looks all;
    private final Looks ofKey;
    private final Sql findAttempts;

    JobReader(Transactions transactions, Database database, Queues queues, JobRows rows) {
        Dialect dialect = database.dialect();
        this.transactions = transactions;
        this.database = database;
        this.reads = new PeoplesReads(database);
        this.queues = queues;
        this.rows = rows;
        this.partitionsInUse = database.keptSql(dialect.pages().partitionsInUse());
        this.findJob = database.sql(dialect.reads().findJob());
        this.findKey = database.sql(dialect.reads().findKey());
        this.due = Look.of(database, dialect.reads().lookAtDue());
        this.unfinished = Looks.of(database, dialect.reads()::lookAtUnfinished);
        this.ended = Looks.of(database, dialect.reads()::lookAtEnded);
        this.all = Looks.of(database, dialect.reads()::lookAtAll);
        this.ofKey = Looks.of(database, dialect.reads()::lookAtKey);
        this.findAttempts = database.sql(dialect.reads().findAttempts());
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
        List<Reading> readings = readings(query, now);
        int look = Math.max(1, query.look() / Math.max(1, readings.size()));
        readings.forEach(reading -> reading.parameters.set("lookAt", look));
        List<List<Looked>> looked =
                transactions.reading(DOING, () -> read(readings, Look::joined), () -> read(readings, Look::alone));
        return page(query, looked, look);
    }

    private List<List<Looked>> read(List<Reading> readings, Function<Look, Sql> way) {
        List<List<Looked>> looked = new ArrayList<>();
        for (Reading reading : readings) {
            List<Looked> both = reads.query(DOING, way.apply(reading.look), reading.parameters, this::looked);
            looked.add(both.stream().filter(Looked::isUnfinished).toList());
            looked.add(both.stream().filter(row -> !row.isUnfinished()).toList());
        }
        return looked;
    }

    private List<Reading> readings(JobQuery query, Instant now) {
        OptionalInt queue = query.filter().queue() == null
                ? OptionalInt.empty()
                : queues.find(new Partition(query.filter().queue(), 0));
        if (query.filter().queue() != null && queue.isEmpty() || !query.mayFindEnded() && !query.mayFindUnfinished()) {
            return List.of();
        }
        int first = queue.orElse(0);
        int last = queue.isPresent() ? first + Partition.MAX_PER_QUEUE - 1 : Integer.MAX_VALUE;
        Supplier<Parameters> parameters =
                () -> parametersOf(query, now).set("fromPartition", first).set("untilPartition", last);
        JobState state = query.state();
        if (query.filter().isOfOneKey()) {
            return List.of(new Reading(ofKey.of(query), parameters.get()));
        }
        if (query.order() == JobOrder.DUE) {
            return transactions
                    .own(DOING, () -> reads.query(DOING, partitionsInUse, Parameters.none(), row -> row.getInt(1)))
                    .stream()
                    .filter(partition -> first <= partition && partition <= last)
                    .map(partition -> new Reading(due, parameters.get().set("partition", partition)))
                    .toList();
        }
        if (query.inOrderOfTimes()) {
            return Arrays.stream(JobState.values())
                    .filter(each -> each.isEnded() && (state == null || state == each))
                    .map(each -> new Reading(ended.of(query), parameters.get().set("state", StoredState.codeOf(each))))
                    .toList();
        }
        return List.of(new Reading((query.mayFindEnded() ? all : unfinished).of(query), parameters.get()));
    }

    private static Parameters parametersOf(JobQuery query, Instant now) {
        boolean isReversed = query.order().isReversed();
        JobId after = query.afterId();
        Instant time = query.after() == null ? null : query.after().time();
        JobState state = query.state();
        JobFilter filter = query.filter();
        long from = filter.fromMillis(now);
        long until = filter.untilMillis(now);
        UUID beginning = isReversed ? AFTER_ALL : BEFORE_ALL;
        return Parameters.none()
                .set("after", after == null ? beginning : after.value())
                .set("time", time == null ? (isReversed ? until : from) : time.toEpochMilli())
                .set("state", state == null ? null : StoredState.codeOf(state))
                .set("fromTime", from)
                .set("untilTime", until)
                .set("name", query.name())
                .set("key", query.key())
                .set("error", filter.errorType())
                // A look reads one more row than the page holds, to tell whether there is another page.
                .set("limit", query.limit() + 1);
    }

    /** Reads a job from either table, followed by the columns of the look. */
    private Looked looked(ResultSet row) throws SQLException {
        return new Looked(rows.any(row), row.getBoolean("wanted"), row.getInt("place"), row.getBoolean("is_last"));
    }

    /**
     * Merges looks at several tables. The page ends where the shortest look ends; further jobs of the others come with
     * the next page.
     */
    private static JobPage page(JobQuery query, List<List<Looked>> looks, int lookAt) {
        Comparator<Job> order = query.comparator();
        int lookedAt = 0;
        Job horizon = null;
        List<Job> found = new ArrayList<>();
        for (List<Looked> look : looks) {
            if (look.isEmpty()) {
                continue;
            }
            look.stream()
                    .filter(Looked::wanted)
                    .filter(row -> row.isUnfinished() ? query.mayFindUnfinished() : query.mayFindEnded())
                    .map(Looked::job)
                    .forEach(found::add);
            Looked end =
                    look.stream().max(Comparator.comparingInt(Looked::place)).orElseThrow();
            lookedAt += end.place;
            boolean mayHoldMore = !end.last || end.place == lookAt;
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
