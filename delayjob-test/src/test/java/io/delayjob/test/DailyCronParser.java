package io.delayjob.test;

import io.delayjob.schedule.CronParser;
import io.delayjob.schedule.CronSequence;
import java.time.LocalTime;
import java.time.ZonedDateTime;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/** Reads daily expressions such as {@code 0 0 3 * * *}. */
public final class DailyCronParser implements CronParser {

    private static final Pattern DAILY = Pattern.compile("0 (\\d+) (\\d+) \\* \\* \\*");

    @Override
    public CronSequence parse(String expression) {
        Matcher daily = DAILY.matcher(expression);
        if (!daily.matches()) {
            throw new IllegalArgumentException("only daily expressions are read in these tests");
        }
        LocalTime time = LocalTime.of(Integer.parseInt(daily.group(2)), Integer.parseInt(daily.group(1)));
        return after -> {
            ZonedDateTime today = after.toLocalDate().atTime(time).atZone(after.getZone());
            return today.isAfter(after)
                    ? today
                    : after.toLocalDate().plusDays(1).atTime(time).atZone(after.getZone());
        };
    }
}
