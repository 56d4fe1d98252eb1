package io.delayjob.internal.attempt;

import java.time.Duration;

/** The progress of a job in a slot when its worker has finished with it. */
sealed interface Made {

    /** The handler was not called. The job is to be released. */
    record GivenBack() implements Made {}

    /** The handler was not called. The job is to be released, and is left to other instances for a while. */
    record SetAside() implements Made {}

    /** The handler was not called, and nothing is left to do. */
    record Decided() implements Made {}

    /** The handler was called, and the attempt has ended. */
    record Ended(Duration took) implements Made {}

    /** The attempt ends later, when the handler's stage does. Until then the attempt keeps its slot. */
    record UnderWay() implements Made {}
}
