package io.delayjob;

import org.jspecify.annotations.Nullable;

/**
 * Thrown when a {@link MethodReference} does not refer to a handler of this application. For example, the reference
 * may be a lambda body.
 */
public final class InvalidHandlerReferenceException extends IllegalArgumentException {

    private static final long serialVersionUID = 1;

    InvalidHandlerReferenceException(String message) {
        this(message, null);
    }

    InvalidHandlerReferenceException(String message, @Nullable Throwable cause) {
        super(message, cause);
    }
}
