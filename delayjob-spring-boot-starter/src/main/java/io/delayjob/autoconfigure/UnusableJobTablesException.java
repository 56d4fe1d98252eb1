package io.delayjob.autoconfigure;

import io.delayjob.store.StoreException;

/** Thrown at start if the job tables cannot be read. Most likely, the tables do not exist. */
final class UnusableJobTablesException extends RuntimeException {

    private static final long serialVersionUID = 1;

    private final String platform;

    UnusableJobTablesException(StoreException cause, String platform) {
        super("delayjob cannot read its tables: " + cause.getMessage(), cause);
        this.platform = platform;
    }

    /** Returns the part of the script's name that differs between databases. */
    String platform() {
        return platform;
    }
}
