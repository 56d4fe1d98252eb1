package io.delayjob;

import org.jspecify.annotations.Nullable;

/**
 * Thrown if a {@link MethodReference} does not refer to a handler of this application. For example, a lambda with a
 * body refers to no handler.
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
