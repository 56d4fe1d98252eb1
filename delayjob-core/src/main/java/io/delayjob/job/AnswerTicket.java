package io.delayjob.job;

import io.delayjob.schedule.Stated;
import java.time.Instant;

/**
 * Identifies an attempt that awaits the answer of another system. The other system sends this ticket with its answer.
 * Any instance accepts the answer. A ticket is no secret and proves nothing. Sign the ticket before it leaves the
 * application. Immutable.
 *
 * @param scheduledAt the time at which the job was scheduled, in store time and whole milliseconds
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
     * Tells whether an unfinished job still accepts an answer with this ticket. If the answer ends the run
     * successfully, the ticket may belong to any attempt of this run. For any other answer, the attempt of the ticket
     * must still be under way.
     *
     * @param job the job as it is now stored. If an attempt replaces missed runs, the stored job may have a lower run
     *     number than the ticket
     */
    public boolean fits(Job job, JobOutcome outcome) {
        boolean sameRun = scheduledAt.equals(job.scheduledAt()) && run >= job.run() && attempt <= job.attempt();
        return sameRun && (outcome.endsRun() || attempt == job.attempt() && job.isUnderWay());
    }
}
