package io.delayjob;

/**
 * The step of a call that sets both payloads. Immutable.
 *
 * @param <P> the type of the handler's first payload parameter
 * @param <Q> the type of the handler's second payload parameter
 */
@CheckReturnValue
public interface TwoPayloadsSpec<P, Q> {

    /** Sets the payloads of one job. */
    ScheduleSpec with(P first, Q second);
}
