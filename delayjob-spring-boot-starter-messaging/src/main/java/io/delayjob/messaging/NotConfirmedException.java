package io.delayjob.messaging;

import org.jspecify.annotations.Nullable;

/**
 * Thrown if the broker has not confirmed the message of an attempt. The broker may have received the message. The retry
 * policy of the target decides whether the message is sent again, with the same id.
 */
public final class NotConfirmedException extends RuntimeException {

    private static final long serialVersionUID = 1;

    NotConfirmedException(String message, @Nullable Throwable cause) {
        super(message, cause);
    }
}
