package io.delayjob.spring;

import org.jspecify.annotations.Nullable;

/**
 * Replaces an exception if its message or the message of a cause could contain a secret text. Without the replacement,
 * the message would be logged and stored.
 */
public final class WithheldException extends RuntimeException {

    private static final long serialVersionUID = 1;

    /** Causes can form a cycle. */
    private static final int MAX_CAUSES = 20;

    private final String type;

    private WithheldException(Throwable withheld, String content, @Nullable WithheldException cause) {
        super("The message is withheld, because it may contain " + content, cause, false, true);
        this.type = withheld.getClass().getName();
        setStackTrace(withheld.getStackTrace());
    }

    /**
     * Returns an exception with the class names and the stack traces of the given exception and its causes.
     *
     * @param content the possible content of the messages, such as {@code values of the payload}
     */
    public static WithheldException of(Throwable thrown, String content) {
        return of(thrown, content, MAX_CAUSES);
    }

    private static WithheldException of(Throwable thrown, String content, int causes) {
        Throwable cause = causes == 0 ? null : thrown.getCause();
        return new WithheldException(thrown, content, cause == null ? null : of(cause, content, causes - 1));
    }

    @Override
    public String toString() {
        return type + " (" + getMessage() + ")";
    }
}
