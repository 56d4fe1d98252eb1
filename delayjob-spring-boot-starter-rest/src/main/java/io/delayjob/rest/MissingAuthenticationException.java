package io.delayjob.rest;

/** Thrown at start if callers of the REST API have no way to authenticate. */
final class MissingAuthenticationException extends RuntimeException {

    private static final long serialVersionUID = 1;

    MissingAuthenticationException(String reason) {
        super("The REST API of delayjob does not start, because " + reason + ".");
    }
}
