package io.delayjob.handler;

/**
 * Thrown when arguments cannot be encoded as a payload, or when a stored payload does not fit the handler's parameters.
 */
public class InvalidPayloadException extends IllegalArgumentException {

    private static final long serialVersionUID = 1;

    public InvalidPayloadException(String message, Throwable cause) {
        super(message, cause);
    }

    public InvalidPayloadException(String message) {
        super(message);
    }
}
