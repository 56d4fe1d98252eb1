package io.delayjob.internal.dispatch;

/** How this instance stands in the eyes of the others. Thread-safe, never blocks. */
public interface Standing {

    /** Its number in the register; 0 while it has none. */
    long number();

    /** Whether an attempt claimed under this number may start now: the instance is alive to the others, for a while. */
    boolean mayStart(long owner);
}
