package io.delayjob.actuate.endpoint;

/** Thrown if the maximum number of requests already read the store for viewers. The request may be repeated. */
final class TooManyReadsException extends RuntimeException {

    private static final long serialVersionUID = 1;

    /** Seconds after which a client may ask again; the reads under way should end within this time. */
    static final String RETRY_AFTER = "2";

    TooManyReadsException() {
        super("Other requests are reading the job store, and their reads take long. Ask again in " + RETRY_AFTER
                + " s.");
    }
}
