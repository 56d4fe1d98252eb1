package io.delayjob.internal.attempt;

import java.time.Duration;

sealed interface Made {

    /** The job must be released. */
    record GivenBack() implements Made {}

    /** The job must be released and left to other instances for a while. */
    record SetAside() implements Made {}

    record Decided() implements Made {}

    record Ended(Duration took) implements Made {}

    /** The attempt keeps its slot until the handler's completion stage completes. */
    record UnderWay() implements Made {}
}
