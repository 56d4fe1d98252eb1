package io.delayjob.test.autoconfigure;

/** Thrown at start when a test in virtual time would share the job tables of a real application. */
final class SharedTablesException extends RuntimeException {

    private static final long serialVersionUID = 1;

    private final String description;
    private final String action;

    SharedTablesException(String description, String action) {
        super(description + " " + action);
        this.description = description;
        this.action = action;
    }

    String description() {
        return description;
    }

    String action() {
        return action;
    }
}
