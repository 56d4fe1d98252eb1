package io.delayjob.spring;

import org.jspecify.annotations.Nullable;

/**
 * Replaces an exception whose message may contain values of a payload. Otherwise, the message would be logged and
 * stored.
 */
final class WithheldException extends RuntimeException {

    private static final long serialVersionUID = 1;

    /** Causes may form a cycle. */
    private static final int MAX_CAUSES = 20;

    private final String type;

    private WithheldException(Throwable withheld, @Nullable WithheldException cause) {
        super("The message is withheld, because it may contain values of the payload", cause, false, true);
        this.type = withheld.getClass().getName();
        setStackTrace(withheld.getStackTrace());
    }

    static WithheldException of(Throwable thrown) {
        return of(thrown, MAX_CAUSES);
    }

    private static WithheldException of(Throwable thrown, int causes) {
        Throwable cause = causes == 0 ? null : thrown.getCause();
        return new WithheldException(thrown, cause == null ? null : of(cause, causes - 1));
    }

    @Override
    public String toString() {
        return type + " (" + getMessage() + ")";
    }
}
