package io.delayjob.jdbc;

import io.delayjob.internal.jdbc.dialect.StatisticsSql;
import io.delayjob.store.MinuteCounts;
import io.delayjob.store.MinuteRow;
import io.delayjob.store.MinuteSpan;
import io.delayjob.store.MinuteSum;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.time.Duration;
import java.time.Instant;
import java.time.temporal.ChronoUnit;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.HashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.OptionalLong;

/** Writes and reads the statistics of each minute. Thread-safe. */
final class MinuteTable {

    /** A span of this length has a few thousand rows, so each deletion is short. */
    private static final long CHUNK_MILLIS = Duration.ofHours(1).toMillis();

    private static final int FIRST_LATE_COLUMN = 8;

    private static final String DOING = "reading the statistics of minutes";

    private record Group(int bucket, String name) {}

    private final Transactions transactions;
    private final Database database;
    private final PeoplesReads reads;
    private final Sql insert;
    private final Sql sum;
    private final Sql oldest;
    private final Sql purge;
    private final HourSums hours;

    MinuteTable(Transactions transactions, Database database) {
        StatisticsSql sql = database.dialect().statistics();
        this.transactions = transactions;
        this.database = database;
        this.reads = new PeoplesReads(database);
        this.insert = database.sql(sql.insertMinutes());
        this.sum = database.sql(sql.sumMinutes());
        this.oldest = database.sql(sql.oldestMinute());
        this.purge = database.sql(sql.purgeMinutes());
        this.hours = new HourSums(transactions, database);
    }

    void record(long owner, List<MinuteRow> rows) {
        if (rows.isEmpty()) {
            return;
        }
        Parameters batch = Parameters.none()
                .set("owner", owner)
                .longs("minuteAt", rows, row -> row.minute().toEpochMilli())
                .texts("name", rows, MinuteRow::name)
                .longs("starts", rows, row -> row.counts().starts())
                .longs("succeeded", rows, row -> row.counts().succeeded())
                .longs("retried", rows, row -> row.counts().retried())
                .longs("failed", rows, row -> row.counts().failed())
                .longs("runMicros", rows, row -> row.counts().runTime().toNanos() / 1_000);
        for (int index = 0; index < MinuteCounts.LATE_SIZE; index++) {
            int place = index;
            String letter = StatisticsSql.LATE.get(index).toUpperCase(Locale.ROOT);
            batch.longs("late" + letter, rows, row -> row.counts().late().get(place));
        }
        transactions.own("writing the statistics of a minute", () -> database.update(insert, batch));
        rows.stream()
                .map(MinuteRow::minute)
                .max(Comparator.naturalOrder())
                .ifPresent(newest -> hours.sumUpBefore(newest, this::oldest));
    }

    List<MinuteSum> sums(MinuteSpan span) {
        return transactions.own(DOING, () -> {
            Map<Group, MinuteCounts> sums = new HashMap<>();
            Instant begin = hours.add(span, MinuteTable::sum, sum -> add(sums, sum));
            Parameters parameters = Parameters.none()
                    .set("from", span.from().toEpochMilli())
                    .set("begin", begin.toEpochMilli())
                    .set("until", span.until().toEpochMilli())
                    .set("width", span.width().toMillis());
            reads.query(DOING, sum, parameters, MinuteTable::sum).forEach(sum -> add(sums, sum));
            List<MinuteSum> all = new ArrayList<>();
            sums.forEach((group, counts) -> all.add(new MinuteSum(group.bucket, group.name, counts)));
            return all;
        });
    }

    private static void add(Map<Group, MinuteCounts> sums, MinuteSum sum) {
        sums.merge(new Group(sum.bucket(), sum.name()), sum.counts(), MinuteCounts::plus);
    }

    private static MinuteSum sum(ResultSet row) throws SQLException {
        List<Long> late = new ArrayList<>();
        for (int column = 0; column < MinuteCounts.LATE_SIZE; column++) {
            late.add(row.getLong(FIRST_LATE_COLUMN + column));
        }
        return new MinuteSum(
                row.getInt(1),
                row.getString(2),
                new MinuteCounts(
                        row.getLong(3),
                        row.getLong(4),
                        row.getLong(5),
                        row.getLong(6),
                        Duration.of(row.getLong(7), ChronoUnit.MICROS),
                        late));
    }

    boolean purge(Instant before) {
        return transactions.own("purging the statistics of minutes", () -> {
            long beforeMillis = before.toEpochMilli();
            OptionalLong first = oldest();
            if (first.isEmpty() || first.getAsLong() >= beforeMillis) {
                return false;
            }
            long end = Math.min(beforeMillis, first.getAsLong() + CHUNK_MILLIS);
            database.update(purge, Parameters.none().set("before", end).set("lastHour", end - HourSums.HOUR_MILLIS));
            return end < beforeMillis;
        });
    }

    private OptionalLong oldest() {
        return database.query(oldest, Parameters.none(), row -> row.getLong(1)).stream()
                .mapToLong(Long::longValue)
                .findFirst();
    }
}
