package io.delayjob.internal.attempt;

import java.time.Duration;

/** Says what a worker thread has done with a claimed job. */
sealed interface Made {

    /** The handler was not called. The job must be released. */
    record GivenBack() implements Made {}

    /** The handler was not called. The job must be released and left to other instances for a while. */
    record SetAside() implements Made {}

    /** The handler was not called, and there is nothing more to do. */
    record Decided() implements Made {}

    /** The handler was called, and the attempt has ended. */
    record Ended(Duration took) implements Made {}

    /**
     * The attempt will end when the handler's completion stage completes, and keeps its slot until then.
     */
    record UnderWay() implements Made {}
}
