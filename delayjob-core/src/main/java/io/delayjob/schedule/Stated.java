package io.delayjob.schedule;

import org.jspecify.annotations.Nullable;

/** Throws an exception if a required value is {@code null}. */
public final class Stated {

    private Stated() {}

    /**
     * Returns the value if it is not {@code null}.
     *
     * @param what the name of the value, such as {@code delay}
     * @param rule a text about the rule and the remedy, for example {@code "must be a duration"}
     * @throws IllegalArgumentException if the value is {@code null}
     */
    public static <T> T notNull(@Nullable T value, String what, String rule) {
        if (value == null) {
            throw new IllegalArgumentException("Invalid " + what + " null: " + rule + ".");
        }
        return value;
    }
}
