package io.delayjob.store;

/** Thrown when the store failed. */
public final class StoreException extends RuntimeException {

    private static final long serialVersionUID = 1;

    private final boolean passing;

    private StoreException(String message, Throwable cause, boolean passing) {
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

    /** Whether the same call may succeed later. Its outcome is unknown: it may have been applied. */
    public boolean isTransient() {
        return passing;
    }
}
