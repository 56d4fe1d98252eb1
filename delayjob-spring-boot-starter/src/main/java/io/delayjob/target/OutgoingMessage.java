package io.delayjob.target;

import io.delayjob.handler.JobContext;
import io.delayjob.job.AnswerTicket;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * What a target sends for one attempt of a job. Immutable.
 *
 * @param target name of the target
 * @param body the body as JSON text, or {@code null} if the job has none
 * @param headers the headers that the job states, in their order; empty if it states none
 * @param job the attempt
 */
public record OutgoingMessage(String target, @Nullable String body, Map<String, String> headers, JobContext job) {

    /** Returns the id by which the receiver can tell repetitions: the same for all attempts of a run. */
    public String id() {
        return idOf(job);
    }

    /**
     * Returns the id of the message that this attempt sends, whatever the kind of its target: the job, the run, and when
     * the job was scheduled. The last one makes it another message when the job is replaced, because that counts its runs
     * anew, and a receiver that remembers ids would drop the new content. The id has letters, digits, {@code -} and
     * {@code :} only.
     */
    public static String idOf(JobContext job) {
        AnswerTicket ticket = job.ticket();
        return ticket.job() + ":" + ticket.run() + ":"
                + Long.toString(ticket.scheduledAt().toEpochMilli(), Character.MAX_RADIX);
    }

    /** Returns target and id, because body and headers may be secret. */
    @Override
    public String toString() {
        return "message " + id() + " to '" + target + "'";
    }
}
