package io.delayjob.wheel;

import org.jspecify.annotations.Nullable;

/**
 * A few entries of a slot, in the order in which they came, in an array: expiry is bound by memory, and a list of links
 * costs one cache miss more for each timer. All chunks are of one size, so nothing is ever copied to grow, and
 * {@link Chunks} keeps them for their next use.
 */
final class Chunk<E> {

    static final int CAPACITY = 64;

    @SuppressWarnings({"unchecked", "rawtypes"}) // an array of a generic type
    private final @Nullable Entry<E>[] entries = new Entry[CAPACITY];

    /** The lowest bits of the entries' ticks, enough to cascade from the lower levels without a look at the entries. */
    private final char[] lowTicks = new char[CAPACITY];

    private int head;
    private int end;

    @Nullable
    Chunk<E> next;

    boolean isEmpty() {
        return head == end;
    }

    boolean isFull() {
        return end == CAPACITY;
    }

    /** Whether it holds the only timer of its slot. */
    boolean isLone() {
        return size() == 1 && next == null;
    }

    int size() {
        return end - head;
    }

    void add(Entry<E> entry, char lowTick) {
        lowTicks[end] = lowTick;
        entries[end++] = entry;
    }

    char firstLowTick() {
        return lowTicks[head];
    }

    /** The tick of the first entry, in a slot of the given level that begins at the given tick. */
    long firstTick(long slotStart, int level) {
        return level * Level.BITS <= Character.SIZE
                ? slotStart & -1L << Character.SIZE | lowTicks[head]
                : entries[head].tick(slotStart);
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

    /** How many of the first few have not ended. */
    int pending(int count) {
        int pending = 0;
        for (int i = head; i < head + count; i++) {
            if (entries[i].isPending()) {
                pending++;
            }
        }
        return pending;
    }

    /** Closes up the live entries at the front; returns how many others were dropped. */
    int compact() {
        int size = size();
        int live = 0;
        for (int i = head; i < end; i++) {
            Entry<E> entry = entries[i];
            if (entry != null && entry.isPending()) {
                lowTicks[live] = lowTicks[i];
                entries[live++] = entry;
            }
        }
        for (int i = live; i < end; i++) {
            entries[i] = null;
        }
        head = 0;
        end = live;
        return size - live;
    }

    /** Makes an empty chunk as good as new. */
    void reset() {
        head = 0;
        end = 0;
        next = null;
    }
}
