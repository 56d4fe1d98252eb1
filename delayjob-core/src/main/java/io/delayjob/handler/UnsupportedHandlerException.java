package io.delayjob.handler;

/**
 * Thrown at the start of an engine that runs jobs, if a handler is atomic, but the engine's job store has no
 * transactions for handlers.
 */
public final class UnsupportedHandlerException extends IllegalStateException {

    private static final long serialVersionUID = 1;

    public UnsupportedHandlerException(String message) {
        super(message);
    }
}
