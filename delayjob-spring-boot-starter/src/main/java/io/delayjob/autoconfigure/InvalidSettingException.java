package io.delayjob.autoconfigure;

import io.delayjob.job.Printable;
import java.util.Locale;
import java.util.function.Supplier;
import java.util.stream.Stream;
import org.springframework.core.env.Environment;

/** Thrown at start when a property has a value that cannot be followed. Says which, and what is wrong with it. */
final class InvalidSettingException extends RuntimeException {

    private static final long serialVersionUID = 1;

    private final String key;

    /** For a {@code sentence} that says all there is to say: a cause would only hide it. */
    InvalidSettingException(String key, String sentence) {
        super(sentence);
        this.key = key;
    }

    private InvalidSettingException(String key, IllegalArgumentException refused) {
        super(refused.getMessage(), refused);
        this.key = key;
    }

    /** What {@code setting} makes of the value of {@code key}. */
    static <T> T checked(String key, Supplier<T> setting) {
        try {
            return setting.get();
        } catch (IllegalArgumentException refused) {
            throw new InvalidSettingException(key, refused);
        }
    }

    /** Refuses a value of {@code key} that is none of {@code choices}, in capitals or not; an absent one is fine. */
    static void checkChoice(Environment environment, String key, Enum<?>... choices) {
        String value = environment.getProperty(key);
        if (value != null
                && Stream.of(choices).noneMatch(choice -> choice.name().equalsIgnoreCase(value))) {
            throw new InvalidSettingException(
                    key,
                    "Invalid %s '%s': must be one of %s."
                            .formatted(
                                    key,
                                    Printable.of(value),
                                    Stream.of(choices)
                                            .map(choice -> choice.name().toLowerCase(Locale.ROOT))
                                            .toList()));
        }
    }

    /** The name of the property, or what the names of several begin with. */
    String key() {
        return key;
    }
}
