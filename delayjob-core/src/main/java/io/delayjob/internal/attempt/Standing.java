package io.delayjob.internal.attempt;

/** Tells whether other instances regard this instance as alive. The methods are thread-safe and never block. */
public interface Standing {

    /** Returns the number of this instance in the register; 0 if this instance has no number yet. */
    long number();

    /**
     * Tells whether an attempt may start now. Its job was claimed when this instance had the number {@code owner}. The
     * attempt may start if the other instances still regard this instance as alive.
     */
    boolean mayStart(long owner);
}
