package io.delayjob.internal.jdbc.dialect;

import java.util.List;
import java.util.stream.Collectors;

/**
 * The SQL for the statistics of each minute. A row with the owner 0 contains the sums of all instances for one hour.
 * Its minute is the first minute of this hour. Immutable and thread-safe.
 */
public abstract class StatisticsSql {

    /**
     * The letters that name the columns of the lateness histogram. A batch has a column for each letter, such as {@code
     * lateA}.
     */
    public static final List<String> LATE =
            List.of("a", "b", "c", "d", "e", "f", "g", "h", "i", "j", "k", "l", "m", "n");

    /** The columns in the order in which the store reads them. */
    static final String NUMBERS = "starts, succeeded, retried, failed, run_micros, "
            + LATE.stream().map(letter -> "late_" + letter).collect(Collectors.joining(", "));

    static final String NUMBERS_OF_BATCH = "b." + NUMBERS.replace(", ", ", b.");

    private static final String NUMBERS_OF_MINUTE = "m." + NUMBERS.replace(", ", ", m.");

    private static final String SUMS = "SUM(" + NUMBERS.replace(", ", "), SUM(") + ")";

    StatisticsSql() {}

    /** Returns a statement that writes rows of one instance. Existing rows stay as they are. */
    public abstract String insertMinutes();

    /**
     * Returns a query that adds up all numbers for each bucket and each name. The first bucket begins at {@code :from},
     * and each bucket is {@code :width} milliseconds wide. Minutes before {@code :begin} are left out.
     */
    public String sumMinutes() {
        return """
                SELECT bucket, name, %s
                FROM (
                    SELECT FLOOR((minute_at - :from) / :width) AS bucket, name, %s
                    FROM {minute}
                    WHERE minute_at >= :begin AND minute_at < :until AND owner <> 0
                ) AS placed
                GROUP BY bucket, name
                """.formatted(SUMS, NUMBERS);
    }

    /**
     * Returns a query that adds up the stored sums of the given hours. Like {@link #sumMinutes()}, it returns one row
     * for each bucket and each name. Each row also contains the latest hour that its sums include.
     */
    public String sumHours() {
        return """
                SELECT bucket, name, %s, MAX(minute_at) AS newest
                FROM (
                    SELECT FLOOR((m.minute_at - :from) / :width) AS bucket, m.minute_at, m.name, %s
                    FROM {hour_sums}
                ) AS placed
                GROUP BY bucket, name
                """.formatted(SUMS, NUMBERS_OF_MINUTE);
    }

    /**
     * Returns a query for the latest hour that has stored sums. The query looks only at the given hours. If none of
     * these hours has stored sums, the result is NULL.
     */
    public String newestHour() {
        return "SELECT MAX(m.minute_at) FROM {hour_sums}";
    }

    static final String SUMS_OF_HOUR = """
            SELECT MIN(minute_at) - MOD(MIN(minute_at), 3600000) AS minute_at, 0 AS owner, name, %s
            FROM {minute}
            WHERE minute_at >= :from AND minute_at < :until AND owner <> 0
            GROUP BY name
            """.formatted(SUMS);

    /**
     * Returns a statement that writes the sums of the hour from {@code :from} to {@code :until}. Existing sums stay as
     * they are.
     */
    public abstract String sumUpHour();

    /** Returns a statement that deletes the sums of all hours from {@code :from} on. */
    public String forgetHours() {
        return """
                DELETE FROM {minute}
                WHERE minute_at >= :from AND owner = 0
                """;
    }

    /** Returns a query for the beginning of the oldest minute. */
    public String oldestMinute() {
        return """
                SELECT minute_at
                FROM {minute}
                ORDER BY minute_at
                LIMIT 1
                """;
    }

    /**
     * Returns a statement that deletes the rows whose minute is before {@code :before}. It deletes the sums of an hour
     * only if this hour is {@code :lastHour} or earlier.
     */
    public String purgeMinutes() {
        return """
                DELETE FROM {minute}
                WHERE minute_at < :before AND (owner <> 0 OR minute_at <= :lastHour)
                """;
    }
}
