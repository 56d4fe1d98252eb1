package io.delayjob.job;

/** Thrown if a caller schedules with its own id, and an unfinished or ended job with other content has that id. */
public final class JobIdTakenException extends RuntimeException {

    private static final long serialVersionUID = 1;

    /** @param difference the part of the content that differs, such as "arguments"; no value of it */
    public JobIdTakenException(JobId id, String difference) {
        super("Job %s exists already with another %s: repeat the earlier call unchanged, or take a new id."
                .formatted(id, difference));
    }
}
