package io.delayjob.jdbc;

import io.delayjob.jdbc.dialect.PageSql;
import io.delayjob.job.DueRow;
import io.delayjob.job.Partition;
import io.delayjob.store.ClaimedRow;
import io.delayjob.store.DuePage;
import io.delayjob.store.PartitionCursor;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Collection;
import java.util.Collections;
import java.util.Comparator;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalInt;
import java.util.Set;
import java.util.function.Predicate;
import java.util.stream.Collectors;
import java.util.stream.Stream;

/** Reads pages of unfinished rows that are due or soon will be, with a few columns of each row. Thread-safe. */
final class DuePages {

    private static final Comparator<DueRow> BY_DUE_TIME = (one, other) -> {
        int byTime = Long.compare(one.dueMillis(), other.dueMillis());
        return byTime != 0 ? byTime : one.id().compareTo(other.id());
    };

    /** A cursor whose partition may hold rows. */
    private record Place(int partition, PartitionCursor cursor) {}

    /**
     * A row that was looked at.
     *
     * @param wanted whether the row matches
     * @param place its place in its partition
     * @param owner owner of a running row
     */
    private record Looked(DueRow row, boolean wanted, long place, long owner) {}

    /** Reads the columns after those of a due row. */
    @FunctionalInterface
    private interface LookedReader {
        Looked read(DueRow due, ResultSet row) throws SQLException;
    }

    private final Transactions transactions;
    private final Database database;
    private final Queues queues;
    private final JobRows rows;
    private final Sql dueAfter;
    private final Sql overdue;
    private final Sql claimed;
    private final Sql partitionsInUse;
    private final boolean onePartitionAStatement;

    DuePages(Transactions transactions, Database database, Queues queues, JobRows rows) {
        PageSql sql = database.dialect().pages();
        this.transactions = transactions;
        this.database = database;
        this.queues = queues;
        this.rows = rows;
        this.dueAfter = database.keptSql(sql.dueAfter());
        this.overdue = database.keptSql(sql.overdue());
        this.claimed = database.keptSql(sql.claimed());
        this.partitionsInUse = database.keptSql(sql.partitionsInUse());
        this.onePartitionAStatement = sql.looksThroughOnePartition();
    }

    DuePage<DueRow> dueAfter(Collection<PartitionCursor> cursors, Instant until, int limit) {
        List<DueRow> found = read("reading what is due soon", dueAfter, pages(cursors, until, limit), rows::due)
                .sorted(BY_DUE_TIME)
                .toList();
        List<PartitionCursor> next = found.stream().collect(Collectors.groupingBy(DueRow::partition)).values().stream()
                .filter(part -> part.size() == limit)
                .map(part -> PartitionCursor.at(part.get(limit - 1)))
                .toList();
        return new DuePage<>(found, next);
    }

    DuePage<DueRow> overdue(
            Collection<PartitionCursor> cursors, Instant until, Set<String> names, int limit, int lookAt) {
        if (names.isEmpty()) {
            return DuePage.none();
        }
        List<Parameters> pages = pages(cursors, until, limit);
        pages.forEach(page -> page.names("name", names).set("lookAt", lookAt));
        Collection<List<Looked>> parts = look("reading what is overdue", overdue, pages, DuePages::looked);
        List<DueRow> found = wanted(parts).map(Looked::row).toList();
        return new DuePage<>(
                found, behind(parts, part -> part.size() == limit || last(part).place() == lookAt));
    }

    /**
     * The owners are compared here and not in the statement, because few rows run. A statement with a number for each
     * instance would not be quicker.
     */
    DuePage<ClaimedRow> claimedByOthers(
            Collection<PartitionCursor> cursors, Instant until, Set<Long> known, int limit) {
        Collection<List<Looked>> parts =
                look("looking for lost attempts", claimed, pages(cursors, until, limit), DuePages::claimed);
        List<ClaimedRow> found = wanted(parts)
                .filter(looked -> !known.contains(looked.owner()))
                .map(looked -> new ClaimedRow(looked.row(), looked.owner()))
                .toList();
        return new DuePage<>(found, behind(parts, part -> last(part).place() == limit));
    }

    private static Looked looked(DueRow due, ResultSet row) throws SQLException {
        return new Looked(due, row.getBoolean(6), row.getLong(7), 0);
    }

    private static Looked claimed(DueRow due, ResultSet row) throws SQLException {
        return new Looked(due, row.getBoolean(6), row.getLong(7), row.getLong(8));
    }

    /** Returns the rows that were looked at, grouped by partition. */
    private Collection<List<Looked>> look(String doing, Sql sql, List<Parameters> pages, LookedReader reader) {
        return read(doing, sql, pages, row -> reader.read(rows.due(row), row))
                .collect(Collectors.groupingBy(looked -> looked.row().partition()))
                .values();
    }

    private static Stream<Looked> wanted(Collection<List<Looked>> parts) {
        return parts.stream()
                .flatMap(List::stream)
                .filter(Looked::wanted)
                .sorted(Comparator.comparing(Looked::row, BY_DUE_TIME));
    }

    private static List<PartitionCursor> behind(Collection<List<Looked>> parts, Predicate<List<Looked>> mayHoldMore) {
        return parts.stream()
                .filter(mayHoldMore)
                .map(part -> PartitionCursor.at(last(part).row()))
                .toList();
    }

    /** Returns the row with the last place, because rows of a page come in any order. */
    private static Looked last(List<Looked> part) {
        return Collections.max(part, Comparator.comparingLong(Looked::place));
    }

    private <T> Stream<T> read(String doing, Sql page, List<Parameters> pages, Database.RowReader<T> reader) {
        if (pages.isEmpty()) {
            return Stream.of();
        }
        // This needs a transaction, because a dialect may put settings before the statement.
        return transactions
                .own(
                        doing,
                        () -> pages.stream()
                                .flatMap(parameters -> database.query(page, parameters, reader).stream())
                                .toList())
                .stream();
    }

    /** Returns the parameters of each statement to run; empty if no partition can hold rows. */
    private List<Parameters> pages(Collection<PartitionCursor> cursors, Instant until, int limit) {
        List<Place> places = places(cursors);
        if (places.isEmpty()) {
            return List.of();
        }
        List<Parameters> pages =
                onePartitionAStatement ? places.stream().map(DuePages::behind).toList() : List.of(behind(places));
        pages.forEach(page -> page.set("until", until.toEpochMilli()).set("limit", limit));
        return pages;
    }

    private static Parameters behind(Place place) {
        return Parameters.none()
                .set("partition", place.partition())
                .set("due", place.cursor().dueMillis())
                .set("id", place.cursor().id().value());
    }

    private static Parameters behind(List<Place> places) {
        return Parameters.none()
                .ints("partition", places, Place::partition)
                .longs("due", places, place -> place.cursor().dueMillis())
                .uuids("id", places, place -> place.cursor().id().value());
    }

    private List<Place> places(Collection<PartitionCursor> cursors) {
        List<Place> places = new ArrayList<>(cursors.size());
        for (PartitionCursor cursor : cursors) {
            OptionalInt partition = queues.find(cursor.partition());
            partition.ifPresent(id -> places.add(new Place(id, cursor)));
        }
        return places;
    }

    /**
     * Returns the partitions with unfinished jobs. Partitions whose queue row is lost are left out, so that they do not
     * stop the others.
     */
    Map<Partition, Instant> partitionsInUse() {
        return transactions
                .own(
                        "looking for partitions in use",
                        () -> database.query(partitionsInUse, Parameters.none(), row -> {
                            Instant earliest = Instant.ofEpochMilli(row.getLong(2));
                            return queues.partitionUnlessLost(row.getInt(1))
                                    .map(partition -> Map.entry(partition, earliest));
                        }))
                .stream()
                .flatMap(Optional::stream)
                .collect(Collectors.toMap(Map.Entry::getKey, Map.Entry::getValue));
    }
}
