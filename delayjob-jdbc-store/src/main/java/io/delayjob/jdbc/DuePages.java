package io.delayjob.jdbc;

import io.delayjob.jdbc.dialect.Dialect;
import io.delayjob.job.DueRow;
import io.delayjob.job.Partition;
import io.delayjob.store.PartitionCursor;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Collection;
import java.util.Comparator;
import java.util.HashSet;
import java.util.List;
import java.util.OptionalInt;
import java.util.Set;

/** What preload reads: pages of waiting rows, a little of each row. Thread-safe. */
final class DuePages {

    private static final Comparator<DueRow> BY_DUE_TIME =
            Comparator.comparingLong(DueRow::dueMillis).thenComparing(DueRow::id);

    /** A cursor whose partition may hold rows. */
    private record Place(int partition, PartitionCursor cursor) {}

    private final Transactions transactions;
    private final Database database;
    private final Queues queues;
    private final JobRows rows;
    private final Sql dueAfter;
    private final Sql overdue;
    private final Sql partitionsInUse;

    DuePages(Transactions transactions, Database database, Queues queues, JobRows rows) {
        Dialect dialect = database.dialect();
        this.transactions = transactions;
        this.database = database;
        this.queues = queues;
        this.rows = rows;
        this.dueAfter = database.sql(dialect.dueAfter());
        this.overdue = database.sql(dialect.overdue());
        this.partitionsInUse = database.sql(dialect.partitionsInUse());
    }

    List<DueRow> dueAfter(Collection<PartitionCursor> cursors, Instant until, int limit) {
        return read("reading what is due soon", dueAfter, cursors, until, limit, Set.of());
    }

    List<DueRow> overdue(Collection<PartitionCursor> cursors, Instant until, Set<String> names, int limit) {
        return names.isEmpty() ? List.of() : read("reading what is overdue", overdue, cursors, until, limit, names);
    }

    private List<DueRow> read(
            String doing, Sql page, Collection<PartitionCursor> cursors, Instant until, int limit, Set<String> names) {
        List<Place> places = places(cursors);
        if (places.isEmpty()) {
            return List.of();
        }
        List<Parameters> pages = database.dialect().looksThroughOnePartition()
                ? places.stream().map(DuePages::behind).toList()
                : List.of(behind(places));
        // In a transaction, for the sake of settings that a dialect puts ahead of the statement.
        return transactions.own(
                doing,
                () -> pages.stream()
                        .map(parameters -> parameters
                                .set("until", until.toEpochMilli())
                                .names("name", names)
                                .set("limit", limit))
                        .flatMap(parameters -> database.query(page, parameters, rows::due).stream())
                        .sorted(BY_DUE_TIME)
                        .toList());
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

    Set<Partition> partitionsInUse() {
        return new HashSet<>(transactions.outside(
                "looking for partitions in use",
                () -> database.query(partitionsInUse, Parameters.none(), row -> queues.partition(row.getInt(1)))));
    }
}
