package io.delayjob.handler;

import io.delayjob.job.Failure;
import io.delayjob.job.JobOutcome;
import io.delayjob.schedule.Stated;
import java.time.Duration;

/**
 * Represents the answer of another system. An attempt {@linkplain Next#awaitAnswer awaits} this answer. Immutable.
 *
 * <pre>{@code
 * jobs.answer(ticket, Answer.done());
 * jobs.answer(ticket, Answer.failed("The carrier has no van."));
 * jobs.answer(ticket, Answer.stillWorking(ofHours(2)));
 * }</pre>
 */
public final class Answer {

    /** Type of the failure if another system answers that the attempt has failed. */
    public static final String FAILURE_TYPE = "AnsweredAsFailed";

    private static final Answer DONE = of(Next.asPlanned());

    private final JobOutcome outcome;

    private Answer(JobOutcome outcome) {
        this.outcome = outcome;
    }

    /** Returns the answer that the work is done. The run has succeeded, and the next run follows as planned. */
    public static Answer done() {
        return DONE;
    }

    /**
     * Returns the answer that the work is done. The attempt ends as if its handler had returned the value {@code next}.
     */
    public static Answer of(Next next) {
        Stated.notNull(
                next, "answer", "must be what the handler would return, such as Next.stop(); use done() for success");
        return new Answer(next.outcome());
    }

    /**
     * Returns the answer that the work has failed. The retry policy decides whether another attempt follows.
     *
     * @param reason a few words, for people; a long reason is shortened
     */
    public static Answer failed(String reason) {
        return new Answer(new JobOutcome.Failed(failure(reason), true));
    }

    /**
     * Returns the answer that the work has failed for good; no retry follows.
     *
     * @param reason a few words, for people; a long reason is shortened
     */
    public static Answer failedForGood(String reason) {
        return new Answer(new JobOutcome.Failed(failure(reason), false));
    }

    private static Failure failure(String reason) {
        Stated.notNull(reason, "reason of a failed answer", "must say what went wrong outside");
        return Failure.of(FAILURE_TYPE, reason);
    }

    /**
     * Returns the answer that the work is not done yet, and that the next answer comes within this time. The new
     * deadline may be earlier or later than the present deadline.
     *
     * @param within time until the new deadline, counted from now; a millisecond or more
     */
    public static Answer stillWorking(Duration within) {
        return of(Next.awaitAnswer(within));
    }

    /** Returns the outcome of an attempt that receives this answer. */
    public JobOutcome outcome() {
        return outcome;
    }

    @Override
    public String toString() {
        return "Answer[" + outcome + "]";
    }
}
