package io.delayjob.jdbc;

import io.delayjob.internal.jdbc.dialect.Dialect;
import io.delayjob.internal.jdbc.dialect.StatisticsSql;
import io.delayjob.store.MinuteSpan;
import io.delayjob.store.MinuteSum;
import io.delayjob.store.StoreException;
import java.time.Duration;
import java.time.Instant;
import java.util.OptionalLong;
import java.util.function.Consumer;
import java.util.function.Supplier;
import java.util.stream.LongStream;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Writes and reads the sums of the statistics over past hours. Sums are written from the oldest hour to the newest, so
 * there are no gaps. If the store's clock is set back to an earlier hour, the sums of this hour and of all later hours
 * are written again. Thread-safe.
 */
final class HourSums {

    static final long HOUR_MILLIS = Duration.ofHours(1).toMillis();

    /** If an hour ended this long ago, every running instance has written its minutes of that hour. */
    private static final long OVER_MILLIS = 2 * HOUR_MILLIS;

    /** Maximum number of hours that one call sums up. */
    private static final int AT_ONCE = 24;

    /** Maximum number of hours in one statement. */
    private static final int LOOKED_UP = 10_000;

    private static final Logger log = LoggerFactory.getLogger(HourSums.class);

    private final Transactions transactions;
    private final Database database;
    private final PeoplesReads reads;
    private final Sql sumUp;
    private final Sql sums;
    private final Sql newest;
    private final Sql forget;

    /** Start of the first hour that may have no sums, in milliseconds; 0 if this hour is unknown. Guarded by this. */
    private long next;

    HourSums(Transactions transactions, Database database) {
        Dialect dialect = database.dialect();
        StatisticsSql sql = dialect.statistics();
        this.transactions = transactions;
        this.database = database;
        this.reads = new PeoplesReads(database);
        this.sumUp = database.sql(sql.sumUpHour());
        this.sums = database.sql(dialect.reads().alongTheIndex() + sql.sumHours());
        this.newest = database.sql(dialect.reads().alongTheIndex() + sql.newestHour());
        this.forget = database.sql(sql.forgetHours());
    }

    synchronized void sumUpBefore(Instant minute, Supplier<OptionalLong> oldest) {
        long hour = hourOf(minute.toEpochMilli());
        long end = minute.toEpochMilli() - OVER_MILLIS;
        try {
            if (next == 0 || hour < next) {
                boolean isFirst = next == 0;
                next = transactions.own("looking for hours to sum up", () -> {
                    // Sums of a future hour were written before the clock was set back.
                    database.update(forget, Parameters.none().set("from", hour));
                    return isFirst ? Math.min(hour, first(oldest.get(), end)) : hour;
                });
            }
            for (int count = 0; count < AT_ONCE && next + HOUR_MILLIS <= end; count++) {
                Parameters parameters = Parameters.none().set("from", next).set("until", next + HOUR_MILLIS);
                transactions.own("summing up the statistics of an hour", () -> database.update(sumUp, parameters));
                next += HOUR_MILLIS;
            }
        } catch (StoreException failure) {
            log.info(
                    "delayjob could not sum up the statistics of a past hour, and tries again in about a minute. "
                            + "Jobs are not affected. The reason: {}",
                    failure.getMessage());
        }
    }

    private long first(OptionalLong oldest, long end) {
        long begin = hourOf(oldest.orElse(end));
        long[] hours = hours(Math.max(begin, end - LOOKED_UP * HOUR_MILLIS), end);
        if (hours.length == 0) {
            return begin;
        }
        long summed = database.query(newest, hourParameters(hours), row -> row.getLong(1))
                .get(0);
        return summed == 0 ? begin : summed + HOUR_MILLIS;
    }

    /** @return the time from which the caller must read the minutes */
    Instant add(MinuteSpan span, Database.RowReader<MinuteSum> reader, Consumer<MinuteSum> to) {
        long from = span.from().toEpochMilli();
        long width = span.width().toMillis();
        long[] hours = hours(from, span.until().toEpochMilli());
        if (Math.floorMod(from, HOUR_MILLIS) != 0 || width % HOUR_MILLIS != 0 || hours.length > LOOKED_UP) {
            return span.from();
        }
        Parameters parameters = hourParameters(hours).set("from", from).set("width", width);
        long end = from;
        for (Sum sum : reads.query(
                "reading the statistics of hours",
                sums,
                parameters,
                row -> new Sum(reader.read(row), row.getLong("newest")))) {
            to.accept(sum.sum);
            end = Math.max(end, sum.newest + HOUR_MILLIS);
        }
        return Instant.ofEpochMilli(end);
    }

    private record Sum(MinuteSum sum, long newest) {}

    private static long hourOf(long millis) {
        return millis - Math.floorMod(millis, HOUR_MILLIS);
    }

    private static long[] hours(long from, long until) {
        return LongStream.iterate(hourOf(from), hour -> hour < until, hour -> hour + HOUR_MILLIS)
                .toArray();
    }

    private static Parameters hourParameters(long[] hours) {
        return Parameters.none().longs("hourAt", LongStream.of(hours).boxed().toList(), hour -> hour);
    }
}
