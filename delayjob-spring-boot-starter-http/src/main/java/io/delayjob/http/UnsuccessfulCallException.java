package io.delayjob.http;

import org.jspecify.annotations.Nullable;

/** Thrown if a call failed, but may succeed later. The retry policy of the target then applies. */
final class UnsuccessfulCallException extends RuntimeException {

    private static final long serialVersionUID = 1;

    UnsuccessfulCallException(String message, @Nullable Throwable cause) {
        super(message, cause);
    }
}
