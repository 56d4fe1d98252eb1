package io.delayjob.jdbc.dialect;

import java.util.List;
import java.util.stream.Collectors;

/** The numbers of each minute. Immutable and thread-safe. */
public abstract class StatisticsSql {

    /**
     * The columns of the histogram of lateness, without their prefix. For each, a batch has a column {@code late} with
     * this letter in capitals.
     */
    public static final List<String> LATE =
            List.of("a", "b", "c", "d", "e", "f", "g", "h", "i", "j", "k", "l", "m", "n");

    /** The numbers of a row, in the order in which the store reads them. */
    static final String NUMBERS = "starts, succeeded, retried, failed, run_micros, "
            + LATE.stream().map(letter -> "late_" + letter).collect(Collectors.joining(", "));

    /** The same numbers of a row of the batch. */
    static final String NUMBERS_OF_BATCH = "b." + NUMBERS.replace(", ", ", b.");

    private static final String SUMS = "SUM(" + NUMBERS.replace(", ", "), SUM(") + ")";

    StatisticsSql() {}

    /** Returns a statement that writes rows of one instance. Existing rows stay as they are. */
    public abstract String insertMinutes();

    /**
     * Returns a query for bucket, name and sums of all numbers of a span, whose buckets are {@code :width} milliseconds
     * wide.
     */
    public String sumMinutes() {
        return """
                SELECT bucket, name, %s
                FROM (
                    SELECT FLOOR((minute_at - :from) / :width) AS bucket, name, %s
                    FROM {minute}
                    WHERE minute_at >= :from AND minute_at < :until
                ) AS placed
                GROUP BY bucket, name
                """.formatted(SUMS, NUMBERS);
    }

    /** Returns a query for the begin of the oldest minute. */
    public String oldestMinute() {
        return """
                SELECT minute_at
                FROM {minute}
                ORDER BY minute_at
                LIMIT 1
                """;
    }

    /** Returns a statement that deletes the minutes that begin before a time. */
    public String purgeMinutes() {
        return """
                DELETE FROM {minute}
                WHERE minute_at < :before
                """;
    }
}
