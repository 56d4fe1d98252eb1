package io.delayjob.wheel;

/** The owner of timers, as a timer sees it. */
interface Timers {

    /** A timer was cancelled. It lies where it lay, empty, until the owner comes across it. */
    void cancelled();
}
