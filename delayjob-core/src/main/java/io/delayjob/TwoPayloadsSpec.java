package io.delayjob;

/**
 * The step of scheduling that takes both payloads. Immutable.
 *
 * @param <P> the type of the handler's first payload parameter
 * @param <Q> the type of the second
 */
@CheckReturnValue
public interface TwoPayloadsSpec<P, Q> {

    /** The payloads of one job. */
    ScheduleSpec with(P first, Q second);
}
