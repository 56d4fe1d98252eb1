package io.delayjob;

/** The step of a call that sets both payloads. Immutable. */
@CheckReturnValue
public interface TwoPayloadsSpec<P, Q> {

    /** Sets the payloads of one job. */
    ScheduleSpec with(P first, Q second);
}
