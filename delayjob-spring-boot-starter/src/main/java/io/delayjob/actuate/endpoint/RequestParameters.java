package io.delayjob.actuate.endpoint;

import io.delayjob.job.JobState;
import io.delayjob.schedule.DurationText;
import java.time.DateTimeException;
import java.time.Duration;
import java.time.Instant;
import java.util.Arrays;
import java.util.Collection;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import java.util.TreeSet;
import java.util.function.Function;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;

/** Named parameters of a request. Immutable. */
final class RequestParameters {

    private static final Instant EARLIEST = Instant.parse("0001-01-01T00:00:00Z");

    private static final Instant LATEST = Instant.parse("9999-12-31T23:59:59.999Z");

    private final Map<String, String> values;
    private final Set<String> repeated;

    RequestParameters(Map<String, Object> arguments) {
        Map<String, String> texts = new TreeMap<>();
        arguments.forEach((name, value) -> {
            if (value != null) {
                texts.put(name, value.toString());
            }
        });
        this.values = Map.copyOf(texts);
        this.repeated = repeated(arguments);
    }

    /** A repeated parameter arrives as a collection or an array. */
    static Set<String> repeated(Map<String, Object> arguments) {
        return arguments.entrySet().stream()
                .filter(argument ->
                        argument.getValue() instanceof Collection || argument.getValue() instanceof Object[])
                .map(Map.Entry::getKey)
                .collect(Collectors.toCollection(TreeSet::new));
    }

    static String repetition(Set<String> names) {
        return "Repeated parameter %s: state each parameter once, with one value.".formatted(quoted(names));
    }

    private static String quoted(Set<String> names) {
        return names.stream().map(name -> "'" + name + "'").collect(Collectors.joining(", "));
    }

    RequestParameters only(String... offered) {
        Set<String> unknown = new TreeSet<>(values.keySet());
        unknown.removeAll(Set.of(offered));
        if (!unknown.isEmpty()) {
            throw new IllegalArgumentException(refusal(unknown, List.of(offered)));
        }
        if (!repeated.isEmpty()) {
            throw new IllegalArgumentException(repetition(repeated));
        }
        return this;
    }

    static String refusal(Set<String> unknown, List<String> offered) {
        return "Unknown parameter %s: %s."
                .formatted(
                        quoted(unknown),
                        offered.isEmpty() ? "this request takes none" : "must be one of " + String.join(", ", offered));
    }

    @Nullable
    String text(String name) {
        return values.get(name);
    }

    String stated(String name, String rule) {
        String value = values.get(name);
        if (value == null) {
            throw new IllegalArgumentException("The parameter %s is missing: it %s.".formatted(name, rule));
        }
        return value;
    }

    @Nullable
    Instant instant(String name) {
        return read(name, "must be an instant in UTC of the years 1 to 9999, such as 2030-01-01T08:00:00Z", text -> {
            Instant instant = Instant.parse(text);
            if (instant.isBefore(EARLIEST) || instant.isAfter(LATEST)) {
                throw new IllegalArgumentException("beyond the years");
            }
            return instant;
        });
    }

    @Nullable
    Duration duration(String name) {
        return read(name, "must be a duration of zero or more, such as 90s, 2h or PT2H", text -> {
            Duration duration = DurationText.parse(text);
            if (duration.isNegative()) {
                throw new IllegalArgumentException("negative");
            }
            return duration;
        });
    }

    @Nullable
    Integer number(String name, int min, int max, String advice) {
        return read(name, "must be a number from %d to %d%s".formatted(min, max, advice), text -> {
            int number = Integer.parseInt(text);
            if (number < min || number > max) {
                throw new IllegalArgumentException("out of range");
            }
            return number;
        });
    }

    @Nullable
    JobState state() {
        return oneOf("state", JobState.class);
    }

    <E extends Enum<E>> @Nullable E oneOf(String name, Class<E> type) {
        return read(
                name,
                "must be one of " + Arrays.toString(type.getEnumConstants()),
                text -> Enum.valueOf(type, text.toUpperCase(Locale.ROOT)));
    }

    private <T> @Nullable T read(String name, String rule, Function<String, T> reader) {
        String text = values.get(name);
        if (text == null) {
            return null;
        }
        try {
            return reader.apply(text);
        } catch (IllegalArgumentException | DateTimeException unreadable) {
            throw new IllegalArgumentException("Invalid %s '%s': %s.".formatted(name, text, rule), unreadable);
        }
    }
}
