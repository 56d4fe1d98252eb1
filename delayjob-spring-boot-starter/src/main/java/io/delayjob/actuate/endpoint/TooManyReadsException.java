package io.delayjob.actuate.endpoint;

/** Thrown when the maximum number of reads for people is under way. The request may be repeated. */
final class TooManyReadsException extends RuntimeException {

    private static final long serialVersionUID = 1;

    /** Seconds after which a client may ask again: time for the reads under way to end. */
    static final String RETRY_AFTER = "2";

    TooManyReadsException() {
        super("Other requests are reading the job store, and their reads take long. Ask again in " + RETRY_AFTER
                + " s.");
    }
}
