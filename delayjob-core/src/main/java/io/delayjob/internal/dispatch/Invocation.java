package io.delayjob.internal.dispatch;

/** A way to call a handler. Thread-safe. */
@FunctionalInterface
interface Invocation {

    /** Makes the attempt, on this thread. Whatever becomes of it is recorded. */
    Made make(Ticket ticket, Verdict.Call call);
}
