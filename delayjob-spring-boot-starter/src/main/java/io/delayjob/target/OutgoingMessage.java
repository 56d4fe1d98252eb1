package io.delayjob.target;

import io.delayjob.handler.JobContext;
import io.delayjob.job.AnswerTicket;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * The message that a target sends for one attempt of a job. Immutable.
 *
 * @param target name of the target
 * @param body the body as JSON text, or {@code null} if the job has none
 * @param headers the headers from the job's argument {@code headers}, in the same order; empty if the job has none
 * @param job the context of the attempt that sends the message
 */
public record OutgoingMessage(String target, @Nullable String body, Map<String, String> headers, JobContext job) {

    /**
     * Returns the id of the message. All attempts of a run have the same id, so a receiver recognizes repeated
     * messages.
     */
    public String id() {
        return idOf(job);
    }

    /**
     * Returns the id of the message that this attempt sends, for any kind of target. The id consists of the job, the
     * run, and the time when the job was scheduled. The id contains only letters, digits, hyphens and colons.
     */
    public static String idOf(JobContext job) {
        AnswerTicket ticket = job.ticket();
        return ticket.job() + ":" + ticket.run() + ":"
                + Long.toString(ticket.scheduledAt().toEpochMilli(), Character.MAX_RADIX);
    }

    /** Returns only the target and the id, because body and headers may be secret. */
    @Override
    public String toString() {
        return "message " + id() + " to '" + target + "'";
    }
}
