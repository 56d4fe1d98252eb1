package io.delayjob.handler;

import io.delayjob.job.JobOutcome;
import java.time.Duration;

/**
 * What a handler may answer to steer its job; returning nothing means {@link #asPlanned()}. Immutable.
 *
 * <pre>{@code
 * @DelayedJob("poll-tracking-number")
 * Next poll(long orderId) {
 *     return partner.knows(orderId) ? Next.stop() : Next.asPlanned();
 * }
 * }</pre>
 */
public final class Next {

    private static final Next AS_PLANNED = new Next(new JobOutcome.Succeeded());
    private static final Next STOP = new Next(new JobOutcome.Stopped());

    private final JobOutcome outcome;

    private Next(JobOutcome outcome) {
        this.outcome = outcome;
    }

    /** The next run comes as the schedule says; a one-shot is finished. */
    public static Next asPlanned() {
        return AS_PLANNED;
    }

    /** This run was the last one: the job is finished, whatever its schedule says. */
    public static Next stop() {
        return STOP;
    }

    /**
     * The next run comes after {@code delay}, counted from now. A one-shot runs again; a schedule that is at its end stays
     * so, and a period goes on from the new time.
     *
     * @param delay zero or more
     */
    public static Next after(Duration delay) {
        if (delay.isNegative()) {
            throw new IllegalArgumentException("Invalid delay %s: must be zero or more.".formatted(delay));
        }
        return new Next(new JobOutcome.Continued(delay));
    }

    /** The same, in the engine's words. */
    public JobOutcome outcome() {
        return outcome;
    }

    @Override
    public String toString() {
        return "Next[" + outcome + "]";
    }
}
