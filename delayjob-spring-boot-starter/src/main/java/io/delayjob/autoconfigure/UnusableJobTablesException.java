package io.delayjob.autoconfigure;

import io.delayjob.store.StoreException;
import org.jspecify.annotations.Nullable;

/** Thrown at start if the job tables cannot be read. Most likely, the tables do not exist. */
final class UnusableJobTablesException extends RuntimeException {

    private static final long serialVersionUID = 1;

    private final String platform;
    private final String note;

    UnusableJobTablesException(StoreException cause, String platform) {
        this("delayjob cannot read its tables: " + cause.getMessage(), cause, platform, "");
    }

    private UnusableJobTablesException(String message, @Nullable Throwable cause, String platform, String note) {
        super(message, cause);
        this.platform = platform;
        this.note = note;
    }

    UnusableJobTablesException of(NamedStore store) {
        return new UnusableJobTablesException(
                "Store '%s': %s".formatted(store.name(), getMessage()), getCause(), platform, store.note());
    }

    /** The part of the schema script's name that differs between databases. */
    String platform() {
        return platform;
    }

    /** Empty for the default store. */
    String note() {
        return note;
    }
}
