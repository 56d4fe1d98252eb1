package io.delayjob.handler;

import io.delayjob.job.JobOutcome;
import io.delayjob.schedule.Stated;
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

    private static final Duration SHORTEST_SNOOZE = Duration.ofMillis(1);
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
     * The next run comes after {@code delay}, counted from now. A one-shot runs again; a schedule that is at its end
     * stays so, and a period goes on from the new time.
     *
     * @param delay zero or more
     */
    public static Next after(Duration delay) {
        Stated.notNull(delay, "delay", "must be zero or more; answer Next.asPlanned() for the time of the schedule");
        if (delay.isNegative()) {
            throw new IllegalArgumentException("Invalid delay %s: must be zero or more.".formatted(delay));
        }
        return new Next(new JobOutcome.Continued(delay));
    }

    /**
     * Not now: the handler is not ready for this run, because what it calls is saturated or limits its rate, and the
     * same run comes back after {@code delay}, counted from now. Its slot is free meanwhile. This is no failure: it
     * costs no retry, and shifts no later run.
     *
     * <p>A run may be put off for as long as its handler's {@linkplain Handler#maxSnooze() bound} after the time it was
     * planned for, whatever delayed it. A delay that would end later counts as a failure instead, which the retry
     * policy is asked about, so that nothing is put off for ever.
     *
     * <pre>{@code
     * @DelayedJob("send-sms")
     * Next send(Sms sms) {
     *     if (!gateway.tryAcquire()) {
     *         return Next.snooze(ofSeconds(5));
     *     }
     *     gateway.send(sms);
     *     return Next.asPlanned();
     * }
     * }</pre>
     *
     * @param delay a millisecond or more; shorter ones would keep a worker spinning
     */
    public static Next snooze(Duration delay) {
        Stated.notNull(delay, "delay of a snooze", "must be 1 ms or more; to continue at once, do not snooze");
        if (delay.compareTo(SHORTEST_SNOOZE) < 0) {
            throw new IllegalArgumentException(
                    "Invalid delay %s of a snooze: must be 1 ms or more; to continue at once, do not snooze."
                            .formatted(delay));
        }
        return new Next(new JobOutcome.Snoozed(delay));
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
