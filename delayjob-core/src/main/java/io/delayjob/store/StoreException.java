package io.delayjob.store;

import org.jspecify.annotations.Nullable;

/** Thrown when the store failed. */
public final class StoreException extends RuntimeException {

    private static final long serialVersionUID = 1;

    private final boolean passing;

    private StoreException(String message, @Nullable Throwable cause, boolean passing) {
        super(message, cause);
        this.passing = passing;
    }

    /** The store is out of reach, busy or read-only: the same call may succeed later. */
    public static StoreException unavailable(String message, Throwable cause) {
        return new StoreException(message, cause, true);
    }

    /** The store refuses this very call, and will refuse it again. */
    public static StoreException refused(String message, Throwable cause) {
        return new StoreException(message, cause, false);
    }

    /** The store lacks an ability that this call needs. */
    static StoreException lacking(JobStore store, StoreCapability capability) {
        return new StoreException(
                "The job store (%s) does not %s.".formatted(store, capability.ability()), null, false);
    }

    /** Whether the same call may succeed later. Its outcome is unknown: it may have been applied. */
    public boolean isTransient() {
        return passing;
    }
}
