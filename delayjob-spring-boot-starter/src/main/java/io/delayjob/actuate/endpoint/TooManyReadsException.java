package io.delayjob.actuate.endpoint;

/** Thrown if too many requests already read the store for viewers. */
final class TooManyReadsException extends RuntimeException {

    private static final long serialVersionUID = 1;

    /** Value of the header {@code Retry-After}, in seconds. */
    static final String RETRY_AFTER = "2";

    TooManyReadsException() {
        super("Other requests are reading the job store, and their reads take long. Ask again in " + RETRY_AFTER
                + " s.");
    }
}
