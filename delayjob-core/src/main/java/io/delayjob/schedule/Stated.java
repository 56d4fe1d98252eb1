package io.delayjob.schedule;

import org.jspecify.annotations.Nullable;

/** Refuses {@code null} where a caller must state something. */
public final class Stated {

    private Stated() {}

    /**
     * Answers the value.
     *
     * @param what what it is, as in {@code delay}
     * @param rule what it must be, and what to do about it, as in {@code must be a duration; …}
     * @throws IllegalArgumentException when it is {@code null}
     */
    public static <T> T notNull(@Nullable T value, String what, String rule) {
        if (value == null) {
            throw new IllegalArgumentException("Invalid " + what + " null: " + rule + ".");
        }
        return value;
    }
}
