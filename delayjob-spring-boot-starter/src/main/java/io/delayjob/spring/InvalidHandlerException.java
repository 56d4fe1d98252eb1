package io.delayjob.spring;

import org.jspecify.annotations.Nullable;

/** Thrown at start when an annotated method cannot be a handler. Says what is wrong where, and how to mend it. */
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

    /** What is wrong, and where, in a sentence. */
    public String description() {
        return description;
    }

    /** What to do about it, in a sentence. */
    public String action() {
        return action;
    }
}
