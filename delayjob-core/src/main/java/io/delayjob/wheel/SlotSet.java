package io.delayjob.wheel;

final class SlotSet {

    static final int NONE = -1;

    private final long[] bits = new long[Level.SLOTS / Long.SIZE];

    void add(int number) {
        bits[number / Long.SIZE] |= 1L << number;
    }

    void remove(int number) {
        bits[number / Long.SIZE] &= ~(1L << number);
    }

    /**
     * Returns the lowest number in this set that is at least {@code from}; {@link #NONE} if there is no such number.
     * The argument may be the number of the last slot plus one.
     */
    int next(int from) {
        long mask = -1L << from;
        for (int word = from / Long.SIZE; word < bits.length; word++) {
            long found = bits[word] & mask;
            if (found != 0) {
                return word * Long.SIZE + Long.numberOfTrailingZeros(found);
            }
            mask = -1L;
        }
        return NONE;
    }
}
