package io.delayjob.test.autoconfigure;

/** Thrown at start when a test in virtual time would share the job tables of a real application. */
final class SharedTablesException extends RuntimeException {

    private static final long serialVersionUID = 1;

    SharedTablesException(String message) {
        super(message);
    }
}
