package io.delayjob.job;

/**
 * Thrown if a caller gives an id for a new job, but a different job already has that id. The other job may be
 * unfinished or ended. If it is finished or cancelled, its arguments are not compared, because they are no longer
 * stored.
 */
public final class JobIdTakenException extends RuntimeException {

    private static final long serialVersionUID = 1;

    /** @param difference the name of the part that differs, such as "arguments", without its value */
    public JobIdTakenException(JobId id, String difference) {
        super("Job %s exists already, but differs in its %s: repeat the earlier call unchanged, or take a new id."
                .formatted(id, difference));
    }
}
