package io.delayjob.handler;

/**
 * Thrown in two cases: arguments cannot be encoded as a payload, or a stored payload does not fit the parameters of its
 * handler.
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
