package io.delayjob.jdbc;

import io.delayjob.internal.jdbc.dialect.Dialect;
import io.delayjob.internal.jdbc.dialect.Direction;
import io.delayjob.internal.jdbc.dialect.ReadSql;
import io.delayjob.internal.jdbc.dialect.StoredState;
import io.delayjob.job.AttemptRecord;
import io.delayjob.job.Job;
import io.delayjob.job.JobExtras;
import io.delayjob.job.JobId;
import io.delayjob.job.JobState;
import io.delayjob.job.Partition;
import io.delayjob.job.Printable;
import io.delayjob.store.JobFilter;
import io.delayjob.store.JobOrder;
import io.delayjob.store.JobPage;
import io.delayjob.store.JobQuery;
import io.delayjob.time.EngineClock;
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
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/** Reads jobs for people and applications, within the caller's transaction if there is one. Thread-safe. */
final class JobReader {

    private static final String DOING = "looking for jobs";

    /** Maximum number of due jobs to sort by id. For more jobs, reading in the order of ids is quicker. */
    private static final int FEW = 5_000;

    private static final int IN_HASTE = 10;

    static final UUID BEFORE_ALL = new UUID(0, 0);

    static final UUID AFTER_ALL = new UUID(-1, -1);

    /**
     * @param joined the statement for the caller's transaction; the store sends no settings with this statement
     * @param alone the statement for a transaction of the store
     */
    private record Look(Sql joined, Sql alone) {

        static Look of(Database database, String statement) {
            return of(database, statement, statement);
        }

        static Look of(Database database, String joined, String alone) {
            return new Look(
                    database.sql(joined),
                    database.sql(database.dialect().reads().alongTheIndex() + alone));
        }
    }

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

    private record ByDueTime(Look due, Looks inSpan, Sql countSpan) {

        /** @param only a condition on the jobs. It is left out if the database might otherwise choose another index */
        static ByDueTime of(Database database, String only) {
            ReadSql sql = database.dialect().reads();
            return new ByDueTime(
                    Look.of(database, sql.lookAtDue(ReadSql.ALL), sql.lookAtDue(only)),
                    Looks.of(database, direction -> sql.lookAtSpan(direction, only)),
                    database.sql(sql.alongTheIndex() + sql.countSpan(only)));
        }
    }

    private record Reading(Look look, Parameters parameters) {}

    private record PartitionRange(int first, int last) {

        boolean contains(int partition) {
            return first <= partition && partition <= last;
        }
    }

    /**
     * @param place place among the rows of this table, counted from 1
     * @param last whether this is the last row that the statement has read
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
    private final EngineClock clock;
    private final Sql findJob;
    private final Sql findKey;
    private final Queues queues;
    private final Look partitionsInUse;
    private final ByDueTime byDueTime;

    /** {@code null} if the database has no index for jobs that await an answer. */
    private final @Nullable ByDueTime awaitingByDueTime;

    private final Looks unfinished;
    private final Looks ended;
    private final Looks all;
    private final Looks ofKey;
    private final Sql findAttempts;
    private final KeepTimes keepTimes;

    JobReader(Transactions transactions, Database database, Queues queues, JobRows rows, EngineClock clock) {
        Dialect dialect = database.dialect();
        this.transactions = transactions;
        this.database = database;
        this.reads = new PeoplesReads(database);
        this.queues = queues;
        this.rows = rows;
        this.clock = clock;
        this.partitionsInUse = Look.of(database, dialect.pages().partitionsInUse());
        this.findJob = database.sql(dialect.reads().findJob());
        this.findKey = database.sql(dialect.reads().findKey());
        String awaiting = dialect.reads().awaiting();
        this.byDueTime = ByDueTime.of(database, ReadSql.ALL);
        this.awaitingByDueTime = awaiting == null ? null : ByDueTime.of(database, awaiting);
        this.unfinished = Looks.of(database, dialect.reads()::lookAtUnfinished);
        this.ended = Looks.of(database, dialect.reads()::lookAtEnded);
        this.all = Looks.of(database, dialect.reads()::lookAtAll);
        this.ofKey = Looks.of(database, dialect.reads()::lookAtKey);
        this.findAttempts = database.sql(dialect.reads().findAttempts());
        this.keepTimes = new KeepTimes(database);
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
        PartitionRange range = range(query);
        if (range == null || !query.mayFindEnded() && !query.mayFindUnfinished()) {
            return new JobPage(List.of(), null, 0);
        }
        List<Reading> readings = readings(query, range, now);
        int look = Math.max(1, query.look() / Math.max(1, readings.size()));
        readings.forEach(reading -> reading.parameters.set("lookAt", look));
        return transactions.reading(DOING, () -> page(query, read(readings, Look::joined), look), () -> {
            ReadingTime time = new ReadingTime(clock);
            List<List<Looked>> few = mayBeFew(query, now) ? few(query, range, now, time) : null;
            if (few != null) {
                return page(query, few, FEW + 1);
            }
            int left = time.isOver() ? Math.max(1, look / IN_HASTE) : look;
            readings.forEach(reading -> reading.parameters.set("lookAt", left));
            return page(query, read(readings, Look::alone), left);
        });
    }

    /** Returns {@code true} only if an index excludes most other jobs. */
    private boolean mayBeFew(JobQuery query, Instant now) {
        return !query.mayFindEnded()
                && !query.inOrderOfTimes()
                && !query.filter().isOfOneKey()
                && (query.filter().untilMillis(now) < Long.MAX_VALUE || byDueTime(query) != byDueTime);
    }

    private ByDueTime byDueTime(JobQuery query) {
        return awaitingByDueTime == null || query.state() != JobState.AWAITING ? byDueTime : awaitingByDueTime;
    }

    /** {@code null} if there are too many rows, or if the read takes too long. */
    private @Nullable List<List<Looked>> few(JobQuery query, PartitionRange range, Instant now, ReadingTime time) {
        List<Reading> readings = new ArrayList<>();
        // No ended job can match, so unfinished jobs get the limit of both tables.
        int left = Math.min(FEW, 2 * query.look());
        ByDueTime byDueTime = byDueTime(query);
        for (int partition : partitions(range, Look::alone)) {
            Parameters parameters =
                    parametersOf(query, range, now).set("partition", partition).set("lookAt", left + 1);
            int jobs = reads.query(DOING, byDueTime.countSpan, parameters, row -> row.getInt(1))
                    .get(0);
            left -= jobs;
            if (left < 0) {
                return null;
            }
            if (jobs > 0) {
                readings.add(new Reading(byDueTime.inSpan.of(query), parameters.set("lookAt", FEW + 1)));
            }
        }
        List<List<Looked>> looked = new ArrayList<>();
        for (Reading reading : readings) {
            if (time.isOver()) {
                return null;
            }
            looked.addAll(read(List.of(reading), Look::alone));
        }
        return looked;
    }

    private List<Integer> partitions(PartitionRange range, Function<Look, Sql> way) {
        return reads.query(DOING, way.apply(partitionsInUse), Parameters.none(), row -> row.getInt(1)).stream()
                .filter(range::contains)
                .toList();
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

    /** {@code null} if the store does not know the queue. */
    private @Nullable PartitionRange range(JobQuery query) {
        String queue = query.filter().queue();
        if (queue == null) {
            return new PartitionRange(0, Integer.MAX_VALUE);
        }
        OptionalInt first = queues.find(new Partition(queue, 0));
        return first.isEmpty()
                ? null
                : new PartitionRange(first.getAsInt(), first.getAsInt() + Partition.MAX_PER_QUEUE - 1);
    }

    private List<Reading> readings(JobQuery query, PartitionRange range, Instant now) {
        Supplier<Parameters> parameters = () -> parametersOf(query, range, now);
        JobState state = query.state();
        if (query.filter().isOfOneKey()) {
            return List.of(new Reading(ofKey.of(query), parameters.get()));
        }
        if (query.order() == JobOrder.DUE) {
            return transactions
                    .reading(DOING, () -> partitions(range, Look::joined), () -> partitions(range, Look::alone))
                    .stream()
                    .map(partition ->
                            new Reading(byDueTime(query).due, parameters.get().set("partition", partition)))
                    .toList();
        }
        if (query.inOrderOfTimes()) {
            return Arrays.stream(JobState.values())
                    .filter(each -> each.isEnded() && (state == null || state == each))
                    .flatMap(each -> keepTimes(each)
                            .map(seconds -> new Reading(
                                    ended.of(query),
                                    parameters
                                            .get()
                                            .set("state", StoredState.codeOf(each))
                                            .set("keepSeconds", seconds))))
                    .toList();
        }
        return List.of(new Reading((query.mayFindEnded() ? all : unfinished).of(query), parameters.get()));
    }

    /**
     * Returns the retention times in seconds. The index has a separate part for each retention time. So each retention
     * time needs its own read.
     */
    private Stream<Integer> keepTimes(JobState ended) {
        List<Integer> ofHandlers =
                ended == JobState.FINISHED ? transactions.own(DOING, keepTimes::find) : List.<Integer>of();
        return Stream.concat(Stream.of(KeepTimes.GENERAL), ofHandlers.stream());
    }

    private static Parameters parametersOf(JobQuery query, PartitionRange range, Instant now) {
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
                .set("fromPartition", range.first)
                .set("untilPartition", range.last)
                .set("name", query.name())
                .set("key", query.key())
                .set("error", filter.errorType())
                .set("label", filter.label() == null ? null : "\n" + JobExtras.labelLine(filter.label()) + "\n")
                .set("groupLine", filter.group() == null ? null : "\n" + JobExtras.groupLine(filter.group()) + "\n")
                .set("lineBreak", "\n")
                .set("payload", filter.payload())
                // One more row than the page holds shows whether there is another page.
                .set("limit", query.limit() + 1);
    }

    private Looked looked(ResultSet row) throws SQLException {
        return new Looked(rows.any(row), row.getBoolean("wanted"), row.getInt("place"), row.getBoolean("is_last"));
    }

    /**
     * A read may stop early. The page then ends at the last job of this read. If several reads stop early, the page
     * ends at the first of their last jobs, in the query's order.
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
