package io.delayjob.schedule;

import java.time.Duration;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;

/** Checks durations that users give. Stores keep whole milliseconds. */
final class Spans {

    /** Maximum duration: 9,999 years. A longer duration would always end after the {@link Timeline}. */
    static final Duration MAX = Duration.ofDays(3_652_059);

    private static final Duration MIN = Duration.ofMillis(1);

    private Spans() {}

    static Duration positive(String what, Duration value) {
        Stated.notNull(value, what, "must be a duration of at least 1 ms");
        if (value.compareTo(MIN) < 0) {
            throw invalid(what, value, "must be at least 1 ms; state a longer duration");
        }
        return withinResolution(what, value);
    }

    static Duration notNegative(String what, Duration value) {
        Stated.notNull(value, what, "must be a duration; state zero for none");
        if (value.isNegative()) {
            throw invalid(what, value, "must not be negative; state zero or a longer duration");
        }
        return withinResolution(what, value);
    }

    static List<Duration> allPositive(String what, List<Duration> values) {
        Stated.notNull(values, "list of " + what + "s", "must hold at least one duration");
        if (values.isEmpty()) {
            throw new IllegalArgumentException(
                    "Invalid list of " + what + "s (empty): must hold at least one duration");
        }
        List<Duration> checked = new ArrayList<>(values.size());
        for (Duration value : values) {
            checked.add(positive(what + " " + (checked.size() + 1), value));
        }
        return List.copyOf(checked);
    }

    static List<Duration> list(Duration first, Duration[] more) {
        Stated.notNull(more, "list of durations", "must hold the durations after the first; leave it out for none");
        List<Duration> values = new ArrayList<>(1 + more.length);
        values.add(first);
        values.addAll(Arrays.asList(more));
        return values;
    }

    private static Duration withinResolution(String what, Duration value) {
        if (value.compareTo(MAX) > 0) {
            throw invalid(what, value, "must be at most 9,999 years (3,652,059 days); state a shorter duration");
        }
        if (value.getNano() % 1_000_000 != 0) {
            throw invalid(what, value, "must be whole milliseconds; round it to milliseconds");
        }
        return value;
    }

    private static IllegalArgumentException invalid(String what, Duration value, String rule) {
        return new IllegalArgumentException("Invalid " + what + " (" + value + "): " + rule);
    }
}
