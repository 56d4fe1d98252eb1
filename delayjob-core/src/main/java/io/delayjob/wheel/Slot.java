package io.delayjob.wheel;

import java.util.Arrays;
import org.jspecify.annotations.Nullable;

/**
 * The timers of one slot, in the order in which they came, in an array: expiry is bound by memory, and a list of links
 * costs one cache miss more for each timer.
 *
 * <pre>
 *   places   ·  ·  c  ·  e  f  ·  ·        ·  an empty place
 *                  ^head         ^end      live = 3
 * </pre>
 *
 * <p>An entry that is cancelled leaves an empty place; nothing else moves. The usual alternative, putting the last entry
 * into the gap, would mix up the order of arrival and write to an entry that is not in any cache. Empty places are
 * closed up when an array needs room and half of it is empty, and a large array with three quarters empty is halved:
 * both are constant time when spread over the calls that made the gaps, and both bound the garbage to a few references
 * for each live timer. Arrays start tiny and small ones are kept for the next round of the wheel.
 */
final class Slot<E> {

    private static final int SMALLEST = 4;
    private static final int LARGEST_KEPT = 64;
    private static final WheelEntry<?>[] NO_PLACES = {};

    private final Level<E> level;
    private final int number;

    private @Nullable WheelEntry<E>[] places = noPlaces();
    private int head;
    private int end;
    private int live;

    Slot(Level<E> level, int number) {
        this.level = level;
        this.number = number;
    }

    boolean isEmpty() {
        return live == 0;
    }

    int capacity() {
        return places.length;
    }

    void add(WheelEntry<E> entry) {
        if (end == places.length) {
            moveTo(live <= end / 2 ? places.length : places.length * 2);
        }
        entry.slot = this;
        entry.place = end;
        places[end++] = entry;
        live++;
        level.added(number);
    }

    void remove(WheelEntry<E> entry) {
        places[entry.place] = null;
        removed(entry);
        if (places.length > LARGEST_KEPT && live <= places.length / 4) {
            moveTo(places.length / 2);
        }
    }

    /** Takes out the entry that came first. The slot must not be empty. */
    WheelEntry<E> removeFirst() {
        WheelEntry<E> first = places[head];
        while (first == null) {
            first = places[++head];
        }
        places[head++] = null;
        removed(first);
        return first;
    }

    private void removed(WheelEntry<E> entry) {
        entry.slot = null;
        live--;
        level.removed(number, live == 0);
        if (live == 0) {
            head = 0;
            end = 0;
            if (places.length > LARGEST_KEPT) {
                places = noPlaces();
            }
        }
    }

    /** Closes up the live entries at the front of an array of the given length, which may be the present one. */
    private void moveTo(int length) {
        if (live == end) {
            places = Arrays.copyOf(places, Math.max(SMALLEST, length));
            return;
        }
        @Nullable WheelEntry<E>[] target = length == places.length ? places : Arrays.copyOf(noPlaces(), length);
        int next = 0;
        for (int i = head; i < end; i++) {
            WheelEntry<E> entry = places[i];
            if (entry != null) {
                places[i] = null;
                entry.place = next;
                target[next++] = entry;
            }
        }
        places = target;
        head = 0;
        end = next;
    }

    @SuppressWarnings("unchecked") // holds nothing
    private static <E> @Nullable WheelEntry<E>[] noPlaces() {
        return (WheelEntry<E>[]) NO_PLACES;
    }
}
