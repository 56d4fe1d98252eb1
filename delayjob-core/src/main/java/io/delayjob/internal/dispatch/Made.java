package io.delayjob.internal.dispatch;

import java.time.Duration;

/** How far a job in a slot has come when its worker has done what it can. */
sealed interface Made {

    /** It was not called, and is to be released. */
    record GivenBack() implements Made {}

    /** It was not called, is to be released, and is left to other instances for a while. */
    record SetAside() implements Made {}

    /** It was not called, and nothing is left to do. */
    record Decided() implements Made {}

    /** Its handler was called, and the attempt has ended. */
    record Ended(Duration took) implements Made {}

    /** The attempt ends later, when the handler's stage does; until then it keeps its slot. */
    record UnderWay() implements Made {}
}
