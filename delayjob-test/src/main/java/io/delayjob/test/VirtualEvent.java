package io.delayjob.test;

/**
 * An action that is planned for a moment of virtual time.
 *
 * @param atNanos the moment of the action, in monotonic time
 * @param number position of this event among the events of the same moment
 */
record VirtualEvent(long atNanos, long number, Runnable action) implements Comparable<VirtualEvent> {

    @Override
    public int compareTo(VirtualEvent other) {
        int byTime = Long.compare(atNanos, other.atNanos);
        return byTime != 0 ? byTime : Long.compare(number, other.number);
    }
}
