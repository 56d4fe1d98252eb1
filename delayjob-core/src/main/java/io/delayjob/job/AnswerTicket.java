package io.delayjob.job;

import io.delayjob.schedule.Stated;
import java.time.Instant;

/**
 * Identifies an attempt to the outside, so that an answer finds it: any instance takes the answer, whether the one that
 * made the attempt lives or not. A ticket is no secret and proves nothing; whatever leaves the application has to be
 * signed. Immutable.
 *
 * @param job the job
 * @param scheduledAt the time at which the job was scheduled, in store time and whole milliseconds; a {@linkplain
 *     OnExisting#REPLACE replaced} job has another one
 * @param run the number of the run, from 1
 * @param attempt the number of the attempt, from 1
 */
public record AnswerTicket(JobId job, Instant scheduledAt, int run, int attempt) {

    public AnswerTicket {
        Stated.notNull(job, "job id of a ticket", "must be the id of the job to answer");
        Stated.notNull(scheduledAt, "scheduling time of a ticket", "must be the time at which the job was scheduled");
        if (run < 1 || attempt < 1) {
            throw new IllegalArgumentException(
                    "Invalid ticket for run %d and attempt %d: both must be 1 or more; take the ticket from JobContext.ticket()."
                            .formatted(run, attempt));
        }
    }

    /**
     * Tells whether an answer still counts for an unfinished job. That the run is done counts for every attempt at it,
     * because the work is done, whatever became of the attempt. Every other outcome counts only for the attempt under
     * way.
     *
     * @param job the job of this ticket, as its row stands. Its run is lower than that of the ticket if the attempt
     *     replaced missed runs and has not been written yet
     */
    public boolean fits(Job job, JobOutcome outcome) {
        boolean sameRun = scheduledAt.equals(job.scheduledAt()) && run >= job.run() && attempt <= job.attempt();
        return sameRun && (outcome.endsRun() || attempt == job.attempt() && job.isUnderWay());
    }
}
