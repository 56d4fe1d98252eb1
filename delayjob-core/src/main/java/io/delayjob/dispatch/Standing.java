package io.delayjob.dispatch;

/** How this instance stands in the eyes of the others. Thread-safe, never blocks. */
public interface Standing extends StartPermit {

    /** Its number in the register; 0 while it has none. */
    long number();
}
