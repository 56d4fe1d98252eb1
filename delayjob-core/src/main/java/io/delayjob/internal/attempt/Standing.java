package io.delayjob.internal.attempt;

/** The state of this instance as other instances see it. Thread-safe, never blocks. */
public interface Standing {

    /** Returns its number in the register; 0 while it has none. */
    long number();

    /**
     * Tells whether an attempt claimed under this number may start now. It may do so while other instances regard this
     * one as alive.
     */
    boolean mayStart(long owner);
}
