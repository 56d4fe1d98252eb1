package io.delayjob.dashboard;

import io.delayjob.jdbc.JdbcJobStore;
import io.delayjob.store.MinuteRow;
import io.delayjob.store.MinuteSpan;
import io.delayjob.store.MinuteSum;
import java.time.Duration;
import java.time.Instant;
import java.time.temporal.ChronoUnit;
import java.util.ArrayList;
import java.util.List;
import java.util.Random;
import java.util.stream.IntStream;
import javax.sql.DataSource;
import org.springframework.jdbc.support.JdbcTransactionManager;

/**
 * The minutes before a shop was opened. They repeat, in random order, the minutes that were measured since. So a chart
 * of the last hour is full although nobody has waited for an hour.
 */
final class EarlierMinutes {

    private static final Duration MINUTE = Duration.ofMinutes(1);

    /** Number of minutes that the page shows. */
    private static final int SHOWN = 60;

    /** In its first minutes a JVM is slower. */
    private static final int WARM_UP = 2;

    private EarlierMinutes() {}

    /**
     * Writes the earlier minutes.
     *
     * @param until end of the measured minutes, exclusive; they begin with the first minute that has numbers
     */
    static void write(DataSource dataSource, Instant until) {
        JdbcJobStore store = JdbcJobStore.builder(dataSource, new JdbcTransactionManager(dataSource))
                .build();
        try {
            Instant end = until.truncatedTo(ChronoUnit.MINUTES);
            List<List<MinuteSum>> minutes =
                    byMinute(store.minutes(new MinuteSpan(end.minus(MINUTE.multipliedBy(SHOWN)), MINUTE, SHOWN)));
            int first = IntStream.range(0, SHOWN)
                    .filter(minute -> !minutes.get(minute).isEmpty())
                    .findFirst()
                    .orElseThrow(() -> new IllegalStateException("The store has no numbers before " + until));
            List<List<MinuteSum>> measured = minutes.subList(Math.min(first + WARM_UP, SHOWN - 1), SHOWN);
            Random random = new Random(first);
            for (int before = 1; before <= first; before++) {
                Instant minute = end.minus(MINUTE.multipliedBy(SHOWN - first + before));
                store.recordMinutes(
                        1,
                        measured.get(random.nextInt(measured.size())).stream()
                                .map(sum -> new MinuteRow(minute, sum.name(), sum.counts()))
                                .toList());
            }
        } finally {
            store.close();
        }
    }

    private static List<List<MinuteSum>> byMinute(List<MinuteSum> sums) {
        List<List<MinuteSum>> minutes = new ArrayList<>();
        IntStream.range(0, SHOWN).forEach(minute -> minutes.add(new ArrayList<>()));
        sums.forEach(sum -> minutes.get(sum.bucket()).add(sum));
        return minutes;
    }
}
