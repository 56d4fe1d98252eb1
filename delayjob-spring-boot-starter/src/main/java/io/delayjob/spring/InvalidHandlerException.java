package io.delayjob.spring;

import org.jspecify.annotations.Nullable;

/**
 * Thrown at start if an annotated method cannot be a handler. The message names the method, the fault and the
 * correction.
 */
public final class InvalidHandlerException extends RuntimeException {

    private static final long serialVersionUID = 1;

    private final String description;
    private final String action;

    InvalidHandlerException(String description, String action) {
        this(description, action, null);
    }

    InvalidHandlerException(String description, String action, @Nullable Throwable cause) {
        super(description + " " + action, cause);
        this.description = description;
        this.action = action;
    }

    /** Returns a sentence that names the fault and its place. */
    public String description() {
        return description;
    }

    /** Returns a sentence that says how to correct the fault. */
    public String action() {
        return action;
    }
}
