package io.delayjob.autoconfigure;

import java.util.function.Supplier;

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

    /** The name of the property, or what the names of several begin with. */
    String key() {
        return key;
    }
}
