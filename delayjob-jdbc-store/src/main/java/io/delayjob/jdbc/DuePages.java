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
        int atOnce = database.dialect().cursorsPerStatement();
        List<DueRow> due = new ArrayList<>();
        for (int from = 0; from < places.size(); from += Math.min(atOnce, places.size())) {
            List<Place> some = places.subList(from, Math.min(places.size(), from + Math.min(atOnce, places.size())));
            Parameters parameters = Parameters.none()
                    .ints("partition", some, Place::partition)
                    .longs("due", some, place -> place.cursor().dueMillis())
                    .uuids("id", some, place -> place.cursor().id().value())
                    .set("until", until.toEpochMilli())
                    .texts("name", names, name -> name)
                    .set("limit", limit);
            // In a transaction, for the sake of settings that a dialect puts ahead of the statement.
            due.addAll(transactions.own(doing, () -> database.query(page, parameters, rows::due)));
        }
        due.sort(BY_DUE_TIME);
        return due;
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
