package io.delayjob.handler;

/** Thrown when arguments are longer, as a payload, than the settings allow. */
public final class PayloadTooLongException extends InvalidPayloadException {

    private static final long serialVersionUID = 1;

    public PayloadTooLongException(String message) {
        super(message);
    }
}
