package io.delayjob.autoconfigure;

import io.delayjob.store.StoreException;

/** Thrown at start when the job tables cannot be read, most likely because they are not there. */
final class UnusableJobTablesException extends RuntimeException {

    private static final long serialVersionUID = 1;

    UnusableJobTablesException(StoreException cause) {
        super("delayjob cannot read its tables: " + cause.getMessage(), cause);
    }
}
