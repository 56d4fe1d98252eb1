package io.delayjob.job;

/**
 * Thrown if a different job, unfinished or ended, already has the id that a caller gives. The arguments of a finished
 * or cancelled job are no longer stored, and not compared.
 */
public final class JobIdTakenException extends RuntimeException {

    private static final long serialVersionUID = 1;

    /** @param difference the part that differs, such as "arguments", without its value */
    public JobIdTakenException(JobId id, String difference) {
        super("Job %s exists already, but differs in its %s: repeat the earlier call unchanged, or take a new id."
                .formatted(id, difference));
    }
}
