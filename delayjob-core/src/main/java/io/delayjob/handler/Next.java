package io.delayjob.handler;

import io.delayjob.job.JobOutcome;
import io.delayjob.schedule.Stated;
import java.time.Duration;

/**
 * A handler returns this value to decide what happens to the job next. A handler that returns nothing has the same
 * effect as one that returns {@link #asPlanned()}. Immutable.
 *
 * <pre>{@code
 * @DelayedJob("poll-tracking-number")
 * Next poll(long orderId) {
 *     return partner.knows(orderId) ? Next.stop() : Next.asPlanned();
 * }
 * }</pre>
 */
public final class Next {

    private static final Duration SHORTEST_WAIT = Duration.ofMillis(1);
    private static final Next AS_PLANNED = new Next(new JobOutcome.Succeeded());
    private static final Next STOP = new Next(new JobOutcome.Stopped());

    private final JobOutcome outcome;

    private Next(JobOutcome outcome) {
        this.outcome = outcome;
    }

    /** Lets the schedule decide when the next run follows. If the job does not repeat, the job becomes finished. */
    public static Next asPlanned() {
        return AS_PLANNED;
    }

    /**
     * Ends the attempt like {@link #asPlanned}, and gives the job a result. The store keeps the result with the ended
     * job. For a repeating job, the store keeps only the result of the run that ends the job.
     *
     * <pre>{@code
     * @DelayedJob("import-orders")
     * Next importOrders(String file) {
     *     int rows = orders.read(file);
     *     return Next.done(Map.of("rows", rows));
     * }
     * }</pre>
     *
     * <p>The payload codec encodes the result, usually as JSON. If the result is longer than 16 KB, or cannot be
     * encoded, the job still finishes. The history then states why there is no result.
     * @param result the value, such as a record or a map, which people and callers can read
     */
    public static Next done(Object result) {
        Stated.notNull(result, "result", "must be a value; return Next.asPlanned() for none");
        return new Next(new JobOutcome.Succeeded(result));
    }

    /** Finishes the job. No further run follows, even if the job has a schedule. */
    public static Next stop() {
        return STOP;
    }

    /**
     * Makes the next run due when {@code delay} has passed since the end of this attempt. If the job does not repeat,
     * the job gets one more run. If the schedule has no further run, or ends before that time, the job ends. In a
     * schedule with gaps, such as {@code Repeat.every(Duration)}, all later runs are moved by the same duration as the
     * next run.
     *
     * @param delay zero or more
     */
    public static Next after(Duration delay) {
        Stated.notNull(delay, "delay", "must be zero or more; return Next.asPlanned() for the time of the schedule");
        if (delay.isNegative()) {
            throw new IllegalArgumentException("Invalid delay %s: must be zero or more.".formatted(delay));
        }
        return new Next(new JobOutcome.Continued(delay));
    }

    /**
     * Delays this run, for example because a system that the handler calls is overloaded. The same run gets another
     * attempt when {@code delay} has passed since the end of this attempt. Until then, the slot is free for other jobs.
     * A snooze does not count as a retry. Later runs keep their planned times.
     *
     * <p>A snooze may delay a run by at most {@linkplain Handler#maxSnooze() maxSnooze}, counted from the planned time
     * of the run. If a snooze would end later, the attempt fails, and the retry policy decides whether another attempt
     * follows.
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
     * @param delay time until the next attempt; a millisecond or more
     */
    public static Next snooze(Duration delay) {
        Stated.notNull(delay, "delay of a snooze", "must be 1 ms or more; to continue at once, do not snooze");
        if (delay.compareTo(SHORTEST_WAIT) < 0) {
            throw new IllegalArgumentException(
                    "Invalid delay %s of a snooze: must be 1 ms or more; to continue at once, do not snooze."
                            .formatted(delay));
        }
        return new Next(new JobOutcome.Snoozed(delay));
    }

    /**
     * Keeps the attempt open until another system answers. Before the handler returns this value, the handler must give
     * the {@linkplain JobContext#ticket() ticket} of the attempt to the other system. Until the answer comes, the
     * attempt needs no slot, no thread and no connection. The attempt stays open even if this instance stops. A call of
     * {@code DelayJobOperations.answer} on any instance ends the attempt. If no answer comes in time, the attempt fails
     * with the error {@code NotAnswered}. The retry policy then decides whether another attempt follows.
     *
     * <pre>{@code
     * @DelayedJob("ship")
     * Next ship(long orderId, JobContext job) {
     *     carrier.book(orderId, tickets.write(job.ticket()));
     *     return Next.awaitAnswer(ofHours(6));
     * }
     * }</pre>
     * @param within time until the deadline of the answer, counted from now; a millisecond or more
     */
    public static Next awaitAnswer(Duration within) {
        Stated.notNull(within, "time for an answer", "must be 1 ms or more; the attempt fails when it is over");
        if (within.compareTo(SHORTEST_WAIT) < 0) {
            throw new IllegalArgumentException(
                    "Invalid time %s for an answer: must be 1 ms or more; the attempt fails when it is over."
                            .formatted(within));
        }
        return new Next(new JobOutcome.Awaited(within));
    }

    /** Returns the outcome of an attempt whose handler returns this value. */
    public JobOutcome outcome() {
        return outcome;
    }

    @Override
    public String toString() {
        return "Next[" + outcome + "]";
    }
}
