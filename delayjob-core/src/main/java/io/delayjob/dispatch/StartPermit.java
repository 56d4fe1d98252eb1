package io.delayjob.dispatch;

/** Asked just before a handler is called: may an attempt that was claimed under this number start now? */
@FunctionalInterface
public interface StartPermit {

    /** Whether the instance is alive to the others, and will be for a while. Thread-safe, never blocks. */
    boolean mayStart(long owner);
}
