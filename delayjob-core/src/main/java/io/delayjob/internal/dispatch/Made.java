package io.delayjob.internal.dispatch;

import java.time.Duration;

/** How far an attempt has come when its worker has done what it can. */
sealed interface Made {

    /** The handler was not called. */
    record NotCalled() implements Made {}

    /** The handler was called, and the attempt has ended. */
    record Ended(Duration took) implements Made {}

    /** The attempt ends later, when the handler's stage does; until then it keeps its slot. */
    record UnderWay() implements Made {}
}
