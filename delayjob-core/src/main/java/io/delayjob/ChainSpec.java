package io.delayjob;

import io.delayjob.job.ScheduledChain;
import io.delayjob.schedule.Repeat;
import java.time.Duration;
import java.time.Instant;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * A chain of jobs. Each call of {@code then} adds another job at the end. Nothing is scheduled until one of these
 * methods is called: {@link #now()}, {@link #startAfter}, {@link #startAt} or {@link #repeatFirst}. State the key, the
 * queue, the policy and the labels of the first job before the first call of {@code then}. Immutable.
 */
@CheckReturnValue
public interface ChainSpec extends Chainable {

    /**
     * Schedules the chain. The first job is due at once.
     *
     * @throws IllegalArgumentException if the total size of the jobs after the first job, with their arguments, is more
     *     than {@value io.delayjob.job.ChainStep#MAX_BYTES} bytes
     */
    @CanIgnoreReturnValue
    ScheduledChain now();

    /** Schedules the chain. The first job is due after {@code delay}, as with {@link ScheduleSpec#after}. */
    @CanIgnoreReturnValue
    ScheduledChain startAfter(Duration delay);

    /** Schedules the chain. The first job is due at {@code instant}, as with {@link ScheduleSpec#at}. */
    @CanIgnoreReturnValue
    ScheduledChain startAt(Instant instant);

    /**
     * Schedules the chain. The first job repeats, as with {@link ScheduleSpec#repeat}. The next job of the chain
     * follows after the last run of the first job. A schedule without an end has a last run only if the handler returns
     * {@link io.delayjob.handler.Next#stop}.
     */
    @CanIgnoreReturnValue
    ScheduledChain repeatFirst(Repeat schedule);

    /**
     * A chain whose last handler has one payload parameter. The call of {@link #with} is optional. Without this call,
     * the argument is the result of the previous job.
     */
    @CheckReturnValue
    interface WithPayload<P> extends ChainSpec {

        /** Sets the argument of the job that was added last. */
        ChainSpec with(P payload);
    }

    /** A chain whose last handler has two payload parameters. At least the first argument must be set. */
    @CheckReturnValue
    interface WithTwoPayloads<P, Q> {

        /** Sets the first argument. The second argument is the result of the previous job in the chain. */
        ChainSpec with(P first);

        /** Sets both arguments. */
        ChainSpec with(P first, Q second);
    }

    /**
     * A chain whose last handler was added as a {@link MethodReference} object. The compiler does not know the
     * parameters of this handler.
     */
    @CheckReturnValue
    interface Step<P, Q> extends WithPayload<P>, WithTwoPayloads<P, Q> {

        @Override
        ChainSpec with(P first);
    }

    /** A chain whose last handler was added by its name. */
    @CheckReturnValue
    interface Named extends ChainSpec {

        /**
         * Sets the arguments of the job that was added last. The keys of the map are the names of the handler's
         * parameters. If this application has the handler, you may leave out the argument of its last parameter. If you
         * do, the argument is the result of the previous job.
         */
        ChainSpec with(Map<String, ? extends @Nullable Object> arguments);
    }
}
