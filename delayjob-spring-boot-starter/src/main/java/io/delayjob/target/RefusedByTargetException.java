package io.delayjob.target;

/**
 * Thrown by a target if no repetition can succeed. The run of the job then fails without a further attempt. After any
 * other exception, the attempt is retried by the policy of the target. The text of this exception is stored with the
 * job, so it must not contain a secret.
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
