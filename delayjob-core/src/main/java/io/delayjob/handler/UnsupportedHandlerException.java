package io.delayjob.handler;

/** Thrown when an engine starts and its job store cannot call a handler in the way that the handler needs. */
public final class UnsupportedHandlerException extends IllegalStateException {

    private static final long serialVersionUID = 1;

    public UnsupportedHandlerException(String message) {
        super(message);
    }
}
