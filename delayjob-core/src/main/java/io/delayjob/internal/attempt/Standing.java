package io.delayjob.internal.attempt;

/** Tells whether other instances regard this instance as alive. Thread-safe, never blocks. */
public interface Standing {

    /** Returns the number of this instance in the register; 0 if it has none yet. */
    long number();

    /**
     * Tells whether an attempt that was claimed under this number may start now. It may start while other instances
     * regard this instance as alive.
     */
    boolean mayStart(long owner);
}
