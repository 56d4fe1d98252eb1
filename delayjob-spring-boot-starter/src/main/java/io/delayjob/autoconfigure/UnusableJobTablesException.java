package io.delayjob.autoconfigure;

import io.delayjob.store.StoreException;

/** Thrown at start when the job tables cannot be read, most likely because they are not there. */
final class UnusableJobTablesException extends RuntimeException {

    private static final long serialVersionUID = 1;

    private final String platform;

    UnusableJobTablesException(StoreException cause, String platform) {
        super("delayjob cannot read its tables: " + cause.getMessage(), cause);
        this.platform = platform;
    }

    /** The part of the script's name that differs from one kind of database to another. */
    String platform() {
        return platform;
    }
}
