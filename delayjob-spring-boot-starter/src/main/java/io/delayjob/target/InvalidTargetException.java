package io.delayjob.target;

import org.jspecify.annotations.Nullable;

/** Thrown at start if a target is configured wrongly. The message names the target, the fault and the correction. */
public final class InvalidTargetException extends RuntimeException {

    private static final long serialVersionUID = 1;

    private final String description;
    private final String action;

    InvalidTargetException(String description, String action) {
        this(description, action, null);
    }

    InvalidTargetException(String description, String action, @Nullable Throwable cause) {
        super(description + " " + action, cause);
        this.description = description;
        this.action = action;
    }

    /** Returns a sentence that names the target and the fault. */
    public String description() {
        return description;
    }

    /** Returns a sentence that says how to correct the fault. */
    public String action() {
        return action;
    }
}
