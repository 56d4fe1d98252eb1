package io.delayjob.wheel;

import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * Stores some entries of a slot in an array, in order of arrival. A linked list would cost one more cache miss for each
 * timer.
 *
 * <p>A chunk stores only the lowest 16 bits of each tick, because the ticks of a slot have the same higher digits. So
 * on the lower levels, a timer can move down without a read of its entry. On the highest levels, a chunk also stores
 * the upper half of each tick.
 */
final class Chunk<E> {

    static final int CAPACITY = 64;

    @SuppressWarnings({"unchecked", "rawtypes"}) // an array of a generic type
    private final @Nullable Entry<E>[] entries = new Entry[CAPACITY];

    private final char[] lowTicks = new char[CAPACITY];

    /** {@code null} on levels where the upper halves of the ticks cannot differ within a slot. */
    private int @Nullable [] highTicks;

    private int level;
    private int head;
    private int end;

    @Nullable
    Chunk<E> next;

    void useOn(int levelNumber) {
        level = levelNumber;
        if (levelNumber * Level.BITS > Integer.SIZE && highTicks == null) {
            highTicks = new int[CAPACITY];
        }
    }

    boolean isEmpty() {
        return head == end;
    }

    boolean isFull() {
        return end == CAPACITY;
    }

    int size() {
        return end - head;
    }

    void add(Entry<E> entry, long tick) {
        lowTicks[end] = (char) tick;
        if (highTicks != null) {
            highTicks[end] = (int) (tick >>> Integer.SIZE);
        }
        entries[end++] = entry;
    }

    long firstTick(long slotStart) {
        if (level * Level.BITS <= Character.SIZE) {
            return slotStart | lowTicks[head];
        }
        long high = highTicks == null ? slotStart & -1L << Integer.SIZE : (long) highTicks[head] << Integer.SIZE;
        return high | Integer.toUnsignedLong(entries[head].lowTick());
    }

    Entry<E> removeFirst() {
        Entry<E> first = entries[head];
        entries[head++] = null;
        return first;
    }

    void removeFirst(int count) {
        for (int i = 0; i < count; i++) {
            entries[head++] = null;
        }
    }

    int pending(int count) {
        int pending = 0;
        for (int i = head; i < head + count; i++) {
            if (entries[i].isPending()) {
                pending++;
            }
        }
        return pending;
    }

    int compact() {
        int from = head;
        int to = end;
        head = 0;
        end = 0;
        takeOver(this, from, to);
        for (int i = end; i < to; i++) {
            entries[i] = null;
        }
        return to - from - end;
    }

    /** Returns the number of dropped entries. */
    int fillFrom(Chunk<E> behind) {
        int before = end;
        int from = behind.head;
        behind.head = takeOver(behind, from, behind.end);
        for (int i = from; i < behind.head; i++) {
            behind.entries[i] = null;
        }
        return behind.head - from - (end - before);
    }

    /** Returns the index of the first unread entry of the other chunk. */
    private int takeOver(Chunk<E> other, int from, int to) {
        int i = from;
        for (; i < to && !isFull(); i++) {
            Entry<E> entry = other.entries[i];
            if (entry != null && entry.isPending()) {
                lowTicks[end] = other.lowTicks[i];
                if (highTicks != null && other.highTicks != null) {
                    highTicks[end] = other.highTicks[i];
                }
                entries[end++] = entry;
            }
        }
        return i;
    }

    void endAll(List<E> ended) {
        for (int i = head; i < end; i++) {
            E element = entries[i].end();
            if (element != null) {
                ended.add(element);
            }
        }
    }

    void reset() {
        head = 0;
        end = 0;
        next = null;
        highTicks = null;
    }
}
