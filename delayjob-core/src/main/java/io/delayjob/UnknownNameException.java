package io.delayjob;

/**
 * Thrown when a handler or a queue is paused or resumed by a name that is unknown in the cluster. The message lists
 * known names, the most similar names first.
 */
public final class UnknownNameException extends RuntimeException {

    private static final long serialVersionUID = 1;

    UnknownNameException(String message) {
        super(message);
    }
}
