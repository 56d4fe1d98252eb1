package io.delayjob;

/**
 * Thrown if a call pauses or resumes a handler or a queue that the cluster does not know. The message lists known
 * names, the most similar first.
 */
public final class UnknownNameException extends RuntimeException {

    private static final long serialVersionUID = 1;

    UnknownNameException(String message) {
        super(message);
    }
}
