package io.delayjob.rest;

/** Thrown at start if nothing could tell who calls the REST API. */
final class MissingAuthenticationException extends RuntimeException {

    private static final long serialVersionUID = 1;

    MissingAuthenticationException(String reason) {
        super("The REST API of delayjob does not start, because " + reason + ".");
    }
}
