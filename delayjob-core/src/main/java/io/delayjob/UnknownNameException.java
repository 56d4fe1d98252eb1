package io.delayjob;

/**
 * Thrown when a handler or a queue is to be paused or resumed by a name that nobody in the cluster knows; the message
 * lists names that somebody does, those that are most like it first.
 */
public final class UnknownNameException extends RuntimeException {

    private static final long serialVersionUID = 1;

    UnknownNameException(String message) {
        super(message);
    }
}
