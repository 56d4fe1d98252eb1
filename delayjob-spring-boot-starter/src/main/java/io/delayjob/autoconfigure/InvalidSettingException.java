package io.delayjob.autoconfigure;

import io.delayjob.job.Printable;
import java.util.Locale;
import java.util.function.Supplier;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;
import org.springframework.core.env.Environment;

/**
 * Thrown at start if the value of a property is invalid. The message names the property and says what is wrong with its
 * value.
 */
final class InvalidSettingException extends RuntimeException {

    private static final long serialVersionUID = 1;

    private final String key;

    /**
     * Creates an exception without a cause, because {@code sentence} explains the whole problem, and a cause would hide
     * this sentence.
     */
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

    /**
     * Returns a copy of this exception that also names the store. The invalid value may come from a setting of the
     * store, or from the same setting of {@code delayjob} itself.
     */
    InvalidSettingException of(NamedStore store) {
        if (key.startsWith(store.key(""))) {
            return this;
        }
        String own = store.key(key.replaceFirst("^delayjob\\.?", ""));
        return new InvalidSettingException(
                "%s or %s".formatted(own, key), "Store '%s': %s".formatted(store.name(), getMessage()));
    }

    /** Returns the name of the invalid property, or the common prefix of several invalid properties. */
    String key() {
        return key;
    }
}
