package io.delayjob.autoconfigure;

import io.delayjob.job.Printable;
import java.util.Locale;
import java.util.function.Supplier;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;
import org.springframework.core.env.Environment;

/** Thrown at start if the value of a property is invalid. */
final class InvalidSettingException extends RuntimeException {

    private static final long serialVersionUID = 1;

    private final String key;

    /** This exception has no cause, because a cause would hide {@code sentence}. */
    InvalidSettingException(String key, String sentence) {
        super(sentence);
        this.key = key;
    }

    private InvalidSettingException(String key, IllegalArgumentException refused) {
        super(refused.getMessage(), refused);
        this.key = key;
    }

    static <T extends @Nullable Object> T checked(String key, Supplier<T> setting) {
        try {
            return setting.get();
        } catch (IllegalArgumentException refused) {
            throw new InvalidSettingException(key, refused);
        }
    }

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

    InvalidSettingException of(NamedStore store) {
        if (key.startsWith(store.key(""))) {
            return this;
        }
        String own = store.key(key.replaceFirst("^delayjob\\.?", ""));
        return new InvalidSettingException(
                "%s or %s".formatted(own, key), "Store '%s': %s".formatted(store.name(), getMessage()));
    }

    /** Returns the key of one property, or the common prefix of several properties. */
    String key() {
        return key;
    }
}
