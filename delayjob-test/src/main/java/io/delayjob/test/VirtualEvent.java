package io.delayjob.test;

/**
 * Something that happens at a moment of virtual time.
 *
 * @param atNanos when, in monotonic time
 * @param number its place among those of the same moment
 */
record VirtualEvent(long atNanos, long number, Runnable action) implements Comparable<VirtualEvent> {

    @Override
    public int compareTo(VirtualEvent other) {
        int byTime = Long.compare(atNanos, other.atNanos);
        return byTime != 0 ? byTime : Long.compare(number, other.number);
    }
}
