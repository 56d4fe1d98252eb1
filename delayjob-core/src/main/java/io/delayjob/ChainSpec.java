package io.delayjob;

import io.delayjob.job.ScheduledChain;
import io.delayjob.schedule.Repeat;
import java.time.Duration;
import java.time.Instant;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * A chain of jobs. The next call on this object adds another job, or states the time of the first job. Nothing is
 * scheduled before {@link #now()}, {@link #startAfter}, {@link #startAt} or {@link #repeatFirst} is called. The key,
 * the queue, the policy and the labels belong to the first job, and are stated before {@code then}. Immutable: every
 * step returns a new object.
 */
@CheckReturnValue
public interface ChainSpec extends Chainable {

    /**
     * Makes the first job due at once.
     *
     * @throws IllegalArgumentException when the jobs that follow the first job take more than
     *     {@value io.delayjob.job.ChainStep#MAX_BYTES} bytes, including their arguments
     */
    @CanIgnoreReturnValue
    ScheduledChain now();

    /** Makes the first job due after {@code delay}, as {@link ScheduleSpec#after} does. */
    @CanIgnoreReturnValue
    ScheduledChain startAfter(Duration delay);

    /** Makes the first job due at {@code instant}, as {@link ScheduleSpec#at} does. */
    @CanIgnoreReturnValue
    ScheduledChain startAt(Instant instant);

    /**
     * Makes the first job repeat, as {@link ScheduleSpec#repeat} does. The next job follows after the last run of the
     * first job. If the schedule has no end, there is a last run only if the handler returns
     * {@link io.delayjob.handler.Next#stop}.
     */
    @CanIgnoreReturnValue
    ScheduledChain repeatFirst(Repeat schedule);

    /**
     * A chain, after a handler with one payload parameter was added. Without {@link #with}, the argument of the last
     * job is the result of the job before it.
     *
     * @param <P> the type of that parameter
     */
    @CheckReturnValue
    interface WithPayload<P> extends ChainSpec {

        /** Sets the argument of the job that was added last. */
        ChainSpec with(P payload);
    }

    /**
     * A chain, after a handler with two payload parameters was added. At least the first argument must be set.
     *
     * @param <P> the type of the first parameter
     * @param <Q> the type of the second parameter
     */
    @CheckReturnValue
    interface WithTwoPayloads<P, Q> {

        /** Sets the first argument. The second argument is the result of the previous job in the chain. */
        ChainSpec with(P first);

        /** Sets both arguments. */
        ChainSpec with(P first, Q second);
    }

    /**
     * A chain after a handler that was given as a {@link MethodReference} object. The compiler does not know the
     * parameters of this handler.
     *
     * @param <P> the type of the first parameter
     * @param <Q> the type of the second parameter
     */
    @CheckReturnValue
    interface Step<P, Q> extends WithPayload<P>, WithTwoPayloads<P, Q> {

        @Override
        ChainSpec with(P first);
    }

    /** A chain, after a handler was added by its name. */
    @CheckReturnValue
    interface Named extends ChainSpec {

        /**
         * Sets the arguments of the job that was added last, by parameter name. If this application has the handler,
         * the argument for the handler's last parameter may be left out. This argument is then the result of the
         * previous job.
         */
        ChainSpec with(Map<String, ? extends @Nullable Object> arguments);
    }
}
