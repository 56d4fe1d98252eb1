package io.delayjob.messaging;

import org.jspecify.annotations.Nullable;

/**
 * Thrown if the broker has not confirmed the message of an attempt. The broker may or may not have the message. The
 * target's retry policy decides whether the message is sent again, with the same id.
 */
public final class NotConfirmedException extends RuntimeException {

    private static final long serialVersionUID = 1;

    NotConfirmedException(String message, @Nullable Throwable cause) {
        super(message, cause);
    }
}
