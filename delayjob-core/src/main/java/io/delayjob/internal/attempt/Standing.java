package io.delayjob.internal.attempt;

/** Tells whether other instances regard this instance as alive. The methods are thread-safe and never block. */
public interface Standing {

    /** Returns 0 if this instance has no number yet. */
    long number();

    /** @param owner the number that this instance had when it claimed the job */
    boolean mayStart(long owner);
}
