package io.delayjob.schedule;

import java.time.Duration;
import java.util.Arrays;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.function.Function;

/** Reads the text of stored schedules and policies: {@code kind:body;option=value;option=value}. */
final class StoredText {

    private final String kind;
    private final String body;
    private final Map<String, String> options;

    private StoredText(String kind, String body, Map<String, String> options) {
        this.kind = kind;
        this.body = body;
        this.options = options;
    }

    static StoredText split(String text) {
        if (text.length() > Schedule.MAX_TEXT_LENGTH) {
            throw new IllegalArgumentException("it has " + text.length() + " characters: must have at most "
                    + Schedule.MAX_TEXT_LENGTH + "; state fewer gaps");
        }
        List<String> parts = Arrays.asList(text.split(";", -1));
        String head = parts.get(0);
        int colon = head.indexOf(':');
        Map<String, String> options = new HashMap<>();
        for (String option : parts.subList(1, parts.size())) {
            int equals = option.indexOf('=');
            if (equals < 0 || options.put(option.substring(0, equals), option.substring(equals + 1)) != null) {
                throw new IllegalArgumentException(
                        "'" + option + "' is not an option: must look like times=5, and each may appear only once");
            }
        }
        return new StoredText(colon < 0 ? head : head.substring(0, colon), head.substring(colon + 1), options);
    }

    String kind() {
        return kind;
    }

    String body() {
        return body;
    }

    /**
     * Removes the option, and returns its value. The reader throws {@link IllegalArgumentException} for a wrong value.
     */
    <T> Optional<T> take(String option, Function<String, T> reader) {
        return Optional.ofNullable(options.remove(option)).map(reader);
    }

    void refuseRemaining(String known) {
        if (!options.isEmpty()) {
            throw new IllegalArgumentException(
                    "'" + options.keySet().iterator().next() + "' is not an option: must be one of " + known);
        }
    }

    static int integer(String text) {
        try {
            return Integer.parseInt(text);
        } catch (NumberFormatException e) {
            throw new IllegalArgumentException(
                    "'" + text + "' is not a number: must be a whole number of at most " + Integer.MAX_VALUE, e);
        }
    }

    static List<Duration> durations(String text) {
        return Arrays.stream(text.split(",", -1)).map(DurationText::parse).toList();
    }
}
