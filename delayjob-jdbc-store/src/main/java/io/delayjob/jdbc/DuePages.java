package io.delayjob.jdbc;

import io.delayjob.internal.jdbc.dialect.PageSql;
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
import java.util.Comparator;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalInt;
import java.util.Set;
import java.util.function.Predicate;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;

/** Reads pages of unfinished rows that are due now or soon. Thread-safe. */
final class DuePages {

    private static final Comparator<DueRow> BY_DUE_TIME = (one, other) -> {
        int byTime = Long.compare(one.dueMillis(), other.dueMillis());
        return byTime != 0 ? byTime : one.id().compareTo(other.id());
    };

    private record Place(int partition, PartitionCursor cursor) {}

    /**
     * @param wanted whether the row meets the conditions of the page
     * @param place position among the rows of its partition; 0 if the statement counts no positions
     * @param owner owner of a running row
     */
    private record Looked(DueRow row, boolean wanted, long place, long owner) {

        Partition partition() {
            return row.partition();
        }
    }

    private static final class Part {

        private int rows;

        /** The row with the latest due time so far. Rows come in any order. */
        private Looked last;

        Part(Looked first) {
            last = first;
        }

        void add(Looked row) {
            rows++;
            last = BY_DUE_TIME.compare(row.row, last.row) > 0 ? row : last;
        }

        Partition partition() {
            return last.partition();
        }
    }

    private final Transactions transactions;
    private final Database database;
    private final Queues queues;
    private final JobRows rows;
    private final Sql dueAfter;
    private final Sql overdue;
    private final @Nullable Sql nextRows;
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
        String next = sql.nextRows();
        this.nextRows = next == null ? null : database.keptSql(next);
        this.claimed = database.keptSql(sql.claimed());
        this.partitionsInUse = database.keptSql(database.dialect().reads().alongTheIndex() + sql.partitionsInUse());
        this.onePartitionAStatement = sql.looksThroughOnePartition();
    }

    DuePage<DueRow> dueAfter(Collection<PartitionCursor> cursors, Instant until, int limit) {
        List<DueRow> found =
                read("reading jobs that are due soon", dueAfter, pages(cursors, until, limit), rows::due).stream()
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
        Sql first = nextRows;
        if (first != null) {
            List<Looked> next = read("reading more overdue jobs", first, pages, this::next);
            if (lookAt == limit || isEnough(next, limit)) {
                return new DuePage<>(wanted(next), behind(next, part -> part.rows == limit));
            }
        }
        List<Looked> looked = read("reading overdue jobs", overdue, pages, this::looked);
        return new DuePage<>(wanted(looked), behind(looked, part -> part.rows == limit || part.last.place == lookAt));
    }

    /** If this method returns {@code false}, many rows are unwanted, and the next statement skips unwanted rows. */
    private static boolean isEnough(List<Looked> next, int limit) {
        int wanted = 0;
        for (Looked each : next) {
            wanted += each.wanted ? 1 : 0;
        }
        return 2 * wanted >= next.size() || parts(next).stream().allMatch(part -> part.rows < limit);
    }

    private static List<DueRow> wanted(List<Looked> looked) {
        List<DueRow> wanted = new ArrayList<>(looked.size());
        for (Looked each : looked) {
            if (each.wanted) {
                wanted.add(each.row);
            }
        }
        wanted.sort(BY_DUE_TIME);
        return wanted;
    }

    DuePage<ClaimedRow> claimedByOthers(
            Collection<PartitionCursor> cursors, Instant until, Set<Long> known, int limit) {
        List<Looked> looked = read("looking for lost attempts", claimed, pages(cursors, until, limit), this::claimed);
        List<ClaimedRow> found = looked.stream()
                .filter(each -> each.wanted && !known.contains(each.owner))
                .map(each -> new ClaimedRow(each.row, each.owner))
                .sorted(Comparator.comparing(ClaimedRow::row, BY_DUE_TIME))
                .toList();
        return new DuePage<>(found, behind(looked, part -> part.last.place == limit));
    }

    private Looked next(ResultSet row) throws SQLException {
        return new Looked(rows.due(row), row.getBoolean(7), 0, 0);
    }

    private Looked looked(ResultSet row) throws SQLException {
        return new Looked(rows.due(row), row.getBoolean(7), row.getLong(8), 0);
    }

    private Looked claimed(ResultSet row) throws SQLException {
        return new Looked(rows.due(row), row.getBoolean(7), row.getLong(8), row.getLong(9));
    }

    private static List<PartitionCursor> behind(List<Looked> looked, Predicate<Part> mayHoldMore) {
        return parts(looked).stream()
                .filter(mayHoldMore)
                .map(part -> PartitionCursor.at(part.last.row))
                .toList();
    }

    private static Collection<Part> parts(List<Looked> looked) {
        Map<Partition, Part> parts = new HashMap<>();
        Part part = null;
        for (Looked row : looked) {
            // Usually, the rows of a partition come one after the other.
            if (part == null || !part.partition().equals(row.partition())) {
                part = parts.computeIfAbsent(row.partition(), first -> new Part(row));
            }
            part.add(row);
        }
        return parts.values();
    }

    private <T> List<T> read(String doing, Sql page, List<Parameters> pages, Database.RowReader<T> reader) {
        if (pages.isEmpty()) {
            return List.of();
        }
        // A dialect may put settings before the statement, so the read needs a transaction.
        return transactions.own(doing, () -> {
            List<T> read = new ArrayList<>();
            pages.forEach(parameters -> read.addAll(database.query(page, parameters, reader)));
            return read;
        });
    }

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

    /** Leaves out each queue that has no row in the queue table. */
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
