package io.delayjob.handler;

/**
 * Thrown at the start of an engine that has an atomic handler, if its job store has no transactions for handlers. An
 * engine that only schedules jobs does not throw this exception.
 */
public final class UnsupportedHandlerException extends IllegalStateException {

    private static final long serialVersionUID = 1;

    public UnsupportedHandlerException(String message) {
        super(message);
    }
}
