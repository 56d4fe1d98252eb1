package io.delayjob.handler;

/** Thrown when the encoded arguments are longer than the settings allow. */
public final class PayloadTooLongException extends InvalidPayloadException {

    private static final long serialVersionUID = 1;

    public PayloadTooLongException(String message) {
        super(message);
    }
}
