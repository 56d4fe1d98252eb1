package io.delayjob.job;

/**
 * Thrown if a caller gives an id that a different job already has. The other job may be unfinished or ended. If the
 * other job is finished or cancelled, its arguments are no longer stored, so they are not compared.
 */
public final class JobIdTakenException extends RuntimeException {

    private static final long serialVersionUID = 1;

    /** @param difference the name of the part that differs, such as "arguments"; the value of this part is not given */
    public JobIdTakenException(JobId id, String difference) {
        super("Job %s exists already, but differs in its %s: repeat the earlier call unchanged, or take a new id."
                .formatted(id, difference));
    }
}
