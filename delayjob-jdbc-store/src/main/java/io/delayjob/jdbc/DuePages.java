package io.delayjob.jdbc;

import io.delayjob.jdbc.dialect.PageSql;
import io.delayjob.job.DueRow;
import io.delayjob.job.Partition;
import io.delayjob.store.LostPage;
import io.delayjob.store.OverduePage;
import io.delayjob.store.PartitionCursor;
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
     * A row that was looked at. {@code wanted} tells whether it matches; {@code place} is its position in its
     * partition.
     */
    private record Looked(DueRow row, boolean wanted, long place) {}

    private final Transactions transactions;
    private final Database database;
    private final Queues queues;
    private final JobRows rows;
    private final Sql dueAfter;
    private final Sql overdue;
    private final Sql lost;
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
        this.lost = database.keptSql(sql.lost());
        this.partitionsInUse = database.keptSql(sql.partitionsInUse());
        this.onePartitionAStatement = sql.looksThroughOnePartition();
    }

    List<DueRow> dueAfter(Collection<PartitionCursor> cursors, Instant until, int limit) {
        return read("reading what is due soon", dueAfter, pages(cursors, until, limit), rows::due)
                .sorted(BY_DUE_TIME)
                .toList();
    }

    OverduePage overdue(Collection<PartitionCursor> cursors, Instant until, Set<String> names, int limit, int lookAt) {
        if (names.isEmpty()) {
            return OverduePage.NONE;
        }
        List<Parameters> pages = pages(cursors, until, limit);
        pages.forEach(page -> page.names("name", names).set("lookAt", lookAt));
        Collection<List<Looked>> parts = look("reading what is overdue", overdue, pages);
        return new OverduePage(
                wanted(parts),
                behind(parts, part -> part.size() == limit || last(part).place() == lookAt));
    }

    LostPage lost(Collection<PartitionCursor> cursors, Instant until, int limit) {
        Collection<List<Looked>> parts = look("looking for lost attempts", lost, pages(cursors, until, limit));
        return new LostPage(wanted(parts), behind(parts, part -> last(part).place() == limit));
    }

    /** Returns the rows that were looked at, grouped by partition. */
    private Collection<List<Looked>> look(String doing, Sql sql, List<Parameters> pages) {
        return read(doing, sql, pages, row -> new Looked(rows.due(row), row.getBoolean(6), row.getLong(7)))
                .collect(Collectors.groupingBy(looked -> looked.row().partition()))
                .values();
    }

    private static List<DueRow> wanted(Collection<List<Looked>> parts) {
        return parts.stream()
                .flatMap(List::stream)
                .filter(Looked::wanted)
                .map(Looked::row)
                .sorted(BY_DUE_TIME)
                .toList();
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
        // In a transaction, because a dialect may put settings ahead of the statement.
        return transactions
                .own(
                        doing,
                        () -> pages.stream()
                                .flatMap(parameters -> database.query(page, parameters, reader).stream())
                                .toList())
                .stream();
    }

    /** Returns the parameters of each statement to run; none if no partition can hold rows. */
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
