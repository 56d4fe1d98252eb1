package io.delayjob.job;

import io.delayjob.schedule.Stated;
import java.time.Instant;

/**
 * Identifies an attempt to the outside, so that an answer finds it. Any instance takes the answer, even if the instance
 * that made the attempt is dead. A ticket is no secret and proves nothing. Sign it before it leaves the application.
 * Immutable.
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
     * Tells whether an answer still counts for an unfinished job. "Done" counts with the ticket of any attempt at the
     * run, because the work is done, whatever became of that attempt. Every other outcome counts only for the attempt
     * under way.
     *
     * @param job the job of this ticket, as its row stands. The job's run is lower than the ticket's if the attempt
     * replaced missed runs and has not been written yet
     */
    public boolean fits(Job job, JobOutcome outcome) {
        boolean sameRun = scheduledAt.equals(job.scheduledAt()) && run >= job.run() && attempt <= job.attempt();
        return sameRun && (outcome.endsRun() || attempt == job.attempt() && job.isUnderWay());
    }
}
