package io.delayjob.http;

import org.jspecify.annotations.Nullable;

/** Thrown if a call failed and a repetition may succeed. The attempt is retried by the target's policy. */
final class UnsuccessfulCallException extends RuntimeException {

    private static final long serialVersionUID = 1;

    UnsuccessfulCallException(String message, @Nullable Throwable cause) {
        super(message, cause);
    }
}
