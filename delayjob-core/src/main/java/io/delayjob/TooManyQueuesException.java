package io.delayjob;

/** Thrown at the start of an engine that declares more queues than {@link EngineSettings#maxQueues()} allows. */
public final class TooManyQueuesException extends IllegalStateException {

    private static final long serialVersionUID = 1;

    TooManyQueuesException(String message) {
        super(message);
    }
}
