package io.delayjob.target;

/**
 * Thrown to end a job of a target as FAILED at once, because no repetition can succeed. Either the receiver refuses
 * this message, or the message must not be sent. Any other exception is retried by the target's policy. The message is
 * stored with the job, so it must not hold a secret.
 */
public final class RefusedByTargetException extends RuntimeException {

    private static final long serialVersionUID = 1;

    public RefusedByTargetException(String message) {
        super(message);
    }

    public RefusedByTargetException(String message, Throwable cause) {
        super(message, cause);
    }
}
