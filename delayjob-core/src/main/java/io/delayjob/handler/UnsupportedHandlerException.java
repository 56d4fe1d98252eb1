package io.delayjob.handler;

/**
 * Thrown at the start of an engine that runs jobs, if it has an atomic handler but a job store without transactions for
 * handlers.
 */
public final class UnsupportedHandlerException extends IllegalStateException {

    private static final long serialVersionUID = 1;

    public UnsupportedHandlerException(String message) {
        super(message);
    }
}
