package io.delayjob.actuate.endpoint;

/** Thrown if too many requests already read the store for viewers. The client may repeat the request. */
final class TooManyReadsException extends RuntimeException {

    private static final long serialVersionUID = 1;

    /**
     * A client may ask again after this number of seconds. The reads that are under way should end within this time.
     */
    static final String RETRY_AFTER = "2";

    TooManyReadsException() {
        super("Other requests are reading the job store, and their reads take long. Ask again in " + RETRY_AFTER
                + " s.");
    }
}
