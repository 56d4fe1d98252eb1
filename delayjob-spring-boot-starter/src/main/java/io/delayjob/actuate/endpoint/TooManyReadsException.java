package io.delayjob.actuate.endpoint;

/** As many reads for people are under way as the store is to bear; the request may be repeated. */
final class TooManyReadsException extends RuntimeException {

    private static final long serialVersionUID = 1;

    TooManyReadsException() {
        super("Other requests are reading the job store at this moment, and they take long: ask again in a second.");
    }
}
