package io.delayjob.settings;

/** Thrown at the start of an engine that declares more queues than {@link QueuesSettings#max()} allows. */
public final class TooManyQueuesException extends IllegalStateException {

    private static final long serialVersionUID = 1;

    public TooManyQueuesException(String message) {
        super(message);
    }
}
