package io.delayjob;

import org.jspecify.annotations.Nullable;

/** Thrown if a {@link MethodReference}, such as a lambda body, does not refer to a handler of this application. */
public final class InvalidHandlerReferenceException extends IllegalArgumentException {

    private static final long serialVersionUID = 1;

    InvalidHandlerReferenceException(String message) {
        this(message, null);
    }

    InvalidHandlerReferenceException(String message, @Nullable Throwable cause) {
        super(message, cause);
    }
}
