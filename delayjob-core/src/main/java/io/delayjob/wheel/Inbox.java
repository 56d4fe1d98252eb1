package io.delayjob.wheel;

import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicReferenceArray;
import java.util.function.ObjLongConsumer;
import org.jspecify.annotations.Nullable;

/**
 * New timers on their way from any thread to the one that polls: an unbounded queue of segments. To push is to reserve
 * the next place by one fetch-and-add, which, unlike a compare-and-set, never has to try again, and to put the timer
 * there, with its tick. The number of the place also counts all timers ever added, at no further cost.
 *
 * <p>A thread that is held up between the two steps holds up those behind it, as in any queue of places. They are
 * {@linkplain #hasMore() seen}, so the poll comes back for them.
 */
final class Inbox<E> {

    private static final int SEGMENT = 1024;

    private volatile Segment<E> tail = new Segment<>(0);

    /** Owned by the polling thread: where it takes next. */
    private Segment<E> head = tail;

    private int next;

    private static final class Segment<E> extends AtomicReferenceArray<@Nullable Entry<E>> {

        private final long base;
        private final AtomicInteger reserved = new AtomicInteger();

        /** Each is written before its entry is, and read after it. */
        private final long[] ticks = new long[SEGMENT];

        private volatile @Nullable Segment<E> following;

        Segment(long base) {
            super(SEGMENT);
            this.base = base;
        }
    }

    /** Hands a timer over; returns its number, counted from 1. */
    long push(Entry<E> entry, long tick) {
        while (true) {
            Segment<E> segment = tail;
            int place = segment.reserved.getAndIncrement();
            if (place < SEGMENT) {
                segment.ticks[place] = tick;
                segment.setRelease(place, entry);
                return segment.base + place + 1;
            }
            extend(segment);
        }
    }

    private synchronized void extend(Segment<E> full) {
        if (tail == full) {
            Segment<E> following = new Segment<>(full.base + SEGMENT);
            full.following = following;
            tail = following;
        }
    }

    /** How many timers have been pushed since the beginning. */
    long pushed() {
        Segment<E> segment = tail;
        return segment.base + Math.min(segment.reserved.get(), SEGMENT);
    }

    /** Whether there are timers that were not taken, though they may be on their way still. Polling thread only. */
    boolean hasMore() {
        return pushed() != head.base + next;
    }

    /**
     * Takes the timers that are there, and their ticks, in the order of their numbers. Polling thread only.
     *
     * @return whether it got all; {@code false} if one is on its way still
     */
    boolean take(ObjLongConsumer<Entry<E>> to) {
        long upTo = pushed();
        while (upTo - (head.base + next) > 0) {
            if (next == SEGMENT) {
                Segment<E> following = head.following;
                if (following == null) {
                    return false;
                }
                head = following;
                next = 0;
            }
            Entry<E> entry = head.getAcquire(next);
            if (entry == null) {
                return false;
            }
            head.setPlain(next, null);
            to.accept(entry, head.ticks[next++]);
        }
        return true;
    }
}
