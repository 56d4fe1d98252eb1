package io.delayjob.schedule;

import java.time.LocalDate;
import java.time.LocalDateTime;
import java.time.ZonedDateTime;
import java.time.temporal.ChronoUnit;
import java.util.Arrays;
import java.util.List;
import java.util.stream.IntStream;
import org.jspecify.annotations.Nullable;

/**
 * A simple cron parser for tests. Expressions have six fields from seconds to weekdays (1 is Monday). Each field is
 * {@code *}, a number, or {@code *}{@code /n}. It searches by local time and ignores clock changes, as a simple library
 * would.
 */
public final class TestCronParser implements CronParser {

    @Override
    public CronSequence parse(String expression) {
        String[] fields = expression.split(" +");
        if (fields.length != 6) {
            throw new IllegalArgumentException("must have 6 fields, has " + fields.length);
        }
        return new Fields(
                field(fields[0], 0, 59),
                field(fields[1], 0, 59),
                field(fields[2], 0, 23),
                field(fields[3], 1, 31),
                field(fields[4], 1, 12),
                field(fields[5], 1, 7));
    }

    private static List<Integer> field(String text, int min, int max) {
        String[] parts = text.split("/");
        int step = parts.length == 2 ? Integer.parseInt(parts[1]) : 1;
        int[] values = parts[0].equals("*")
                ? IntStream.rangeClosed(min, max)
                        .filter(i -> (i - min) % step == 0)
                        .toArray()
                : new int[] {Integer.parseInt(parts[0])};
        return Arrays.stream(values).boxed().toList();
    }

    private record Fields(
            List<Integer> seconds,
            List<Integer> minutes,
            List<Integer> hours,
            List<Integer> days,
            List<Integer> months,
            List<Integer> weekdays)
            implements CronSequence {

        private static final int YEARS_SEARCHED = 9;

        @Override
        public @Nullable ZonedDateTime next(ZonedDateTime after) {
            LocalDateTime from =
                    after.toLocalDateTime().truncatedTo(ChronoUnit.SECONDS).plusSeconds(1);
            LocalDate last = from.toLocalDate().plusYears(YEARS_SEARCHED);
            for (LocalDate date = from.toLocalDate(); date.isBefore(last); date = date.plusDays(1)) {
                LocalDateTime match = matches(date) ? firstOf(date, from) : null;
                if (match != null) {
                    return match.atZone(after.getZone());
                }
            }
            return null;
        }

        private boolean matches(LocalDate date) {
            return days.contains(date.getDayOfMonth())
                    && months.contains(date.getMonthValue())
                    && weekdays.contains(date.getDayOfWeek().getValue());
        }

        private @Nullable LocalDateTime firstOf(LocalDate date, LocalDateTime from) {
            for (int hour : hours) {
                if (date.atTime(hour, 59, 59).isBefore(from)) {
                    continue;
                }
                for (int minute : minutes) {
                    if (date.atTime(hour, minute, 59).isBefore(from)) {
                        continue;
                    }
                    for (int second : seconds) {
                        LocalDateTime time = date.atTime(hour, minute, second);
                        if (!time.isBefore(from)) {
                            return time;
                        }
                    }
                }
            }
            return null;
        }
    }
}
