package io.delayjob.schedule;

import org.jspecify.annotations.Nullable;

/** Refuses {@code null} for a required value. */
public final class Stated {

    private Stated() {}

    /**
     * Returns the value if it is not {@code null}.
     *
     * @param what the name of the value, such as {@code delay}
     * @param rule the rule and the remedy, such as {@code must be a duration; …}
     * @throws IllegalArgumentException when it is {@code null}
     */
    public static <T> T notNull(@Nullable T value, String what, String rule) {
        if (value == null) {
            throw new IllegalArgumentException("Invalid " + what + " null: " + rule + ".");
        }
        return value;
    }
}
