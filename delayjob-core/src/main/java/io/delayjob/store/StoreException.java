package io.delayjob.store;

import org.jspecify.annotations.Nullable;

/** Thrown when the store fails or refuses a call. */
public final class StoreException extends RuntimeException {

    private static final long serialVersionUID = 1;

    private final boolean passing;

    private StoreException(String message, @Nullable Throwable cause, boolean passing) {
        super(message, cause);
        this.passing = passing;
    }

    /** Returns an exception for a store that is unreachable, busy or read-only; the same call may succeed later. */
    public static StoreException unavailable(String message, Throwable cause) {
        return new StoreException(message, cause, true);
    }

    /** Like {@link #unavailable(String, Throwable)}, but without a cause. */
    public static StoreException unavailable(String message) {
        return new StoreException(message, null, true);
    }

    /** Returns an exception for a call that the store refuses, now and later. */
    public static StoreException refused(String message, Throwable cause) {
        return new StoreException(message, cause, false);
    }

    /** Like {@link #refused(String, Throwable)}, but without a cause. */
    public static StoreException refused(String message) {
        return new StoreException(message, null, false);
    }

    static StoreException lacking(Object store, StoreCapability capability) {
        return refused("The job store (%s) does not %s.".formatted(store, capability.ability()));
    }

    /**
     * Tells whether the same call may succeed later. If the result is {@code true}, the failed call may or may not have
     * taken effect.
     */
    public boolean isTransient() {
        return passing;
    }
}
