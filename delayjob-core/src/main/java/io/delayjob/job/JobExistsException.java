package io.delayjob.job;

/** Thrown by a call with {@link OnExisting#FAIL} if an unfinished job has the same name and key. */
public final class JobExistsException extends RuntimeException {

    private static final long serialVersionUID = 1;

    public JobExistsException(String name, String key) {
        super(("Job '%s' with key '%s' exists already. Wait until it ends, cancel it, or schedule with "
                        + "KEEP, REPLACE or POSTPONE.")
                .formatted(Printable.of(name), Printable.of(key)));
    }
}
