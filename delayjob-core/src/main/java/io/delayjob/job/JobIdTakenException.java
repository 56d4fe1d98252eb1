package io.delayjob.job;

/**
 * Thrown if a caller schedules a job with an id that it gives, and a different job, unfinished or ended, has that id.
 */
public final class JobIdTakenException extends RuntimeException {

    private static final long serialVersionUID = 1;

    /** @param difference the name of the part that differs, such as "arguments", without its value */
    public JobIdTakenException(JobId id, String difference) {
        super("Job %s exists already with another %s: repeat the earlier call unchanged, or take a new id."
                .formatted(id, difference));
    }
}
