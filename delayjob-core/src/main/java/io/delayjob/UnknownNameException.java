package io.delayjob;

/**
 * Thrown when a call pauses or resumes a handler or a queue that the cluster does not know. The message lists known
 * names, beginning with the most similar names.
 */
public final class UnknownNameException extends RuntimeException {

    private static final long serialVersionUID = 1;

    UnknownNameException(String message) {
        super(message);
    }
}
