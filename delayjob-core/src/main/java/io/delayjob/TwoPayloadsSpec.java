package io.delayjob;

/** In this step of a call, the caller sets both payloads. Immutable. */
@CheckReturnValue
public interface TwoPayloadsSpec<P, Q> {

    /** Sets the payloads of one job. */
    ScheduleSpec with(P first, Q second);
}
