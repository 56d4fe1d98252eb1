package io.delayjob.messaging;

import org.jspecify.annotations.Nullable;

/**
 * Fails an attempt because the broker has not confirmed its message: it may or may not have it. The target's retry
 * policy decides whether the message is sent again, with the same id.
 */
public final class NotConfirmedException extends RuntimeException {

    private static final long serialVersionUID = 1;

    NotConfirmedException(String message, @Nullable Throwable cause) {
        super(message, cause);
    }
}
