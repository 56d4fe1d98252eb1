package io.delayjob.actuate.endpoint;

/** Thrown when the maximum number of reads for people is under way. The request may be repeated. */
final class TooManyReadsException extends RuntimeException {

    private static final long serialVersionUID = 1;

    TooManyReadsException() {
        super("Other requests are reading the job store at this moment, and they take long: ask again in a second.");
    }
}
