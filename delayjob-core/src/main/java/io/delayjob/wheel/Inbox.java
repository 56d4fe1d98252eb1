package io.delayjob.wheel;

import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicReferenceArray;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/**
 * New timers on their way from any thread to the one that polls: an unbounded queue of segments. To push is to reserve
 * the next place by one fetch-and-add, which, unlike a compare-and-set, never has to try again, and to put the timer
 * there. That the place has a number also tells how many timers there have ever been, at no further cost.
 *
 * <p>A thread that is held up between the two steps holds up those behind it, as in any queue of places. They are
 * {@linkplain #hasMore() seen}, so the poll comes back for them.
 *
 * <p>Timers know half of their tick. The other half follows from the tick at which their inbox was opened, so an inbox
 * is used for so many ticks only, and is then {@linkplain #close closed} in favour of another.
 */
final class Inbox<E> {

    private static final int SEGMENT = 1024;

    /** What a push returns that came too late. */
    static final long CLOSED = -1;

    private final long openedAtTick;
    private volatile Segment<E> tail;

    /** How many timers there were when it was closed; changes under the lock, as does the tail. */
    private volatile long pushedAtClose = Long.MAX_VALUE;

    /** Owned by the polling thread: where it takes next. */
    private Segment<E> head;

    private int next;

    private static final class Segment<E> extends AtomicReferenceArray<@Nullable Entry<E>> {

        private final long base;
        private final AtomicInteger reserved = new AtomicInteger();
        private volatile @Nullable Segment<E> following;

        Segment(long base) {
            super(SEGMENT);
            this.base = base;
        }
    }

    Inbox(long openedAtTick) {
        this(openedAtTick, 0);
    }

    private Inbox(long openedAtTick, long pushed) {
        this.openedAtTick = openedAtTick;
        this.tail = new Segment<>(pushed);
        this.head = tail;
    }

    /** The tick that all timers in here are near. */
    long openedAtTick() {
        return openedAtTick;
    }

    /**
     * Hands a timer over; returns its number, counted from 1 over this inbox and those before it, or {@link #CLOSED}.
     */
    long push(Entry<E> entry) {
        while (true) {
            Segment<E> segment = tail;
            int place = segment.reserved.getAndIncrement();
            if (place < SEGMENT) {
                segment.setRelease(place, entry);
                return segment.base + place + 1;
            }
            if (!extend(segment)) {
                return CLOSED;
            }
        }
    }

    private synchronized boolean extend(Segment<E> full) {
        boolean open = pushedAtClose == Long.MAX_VALUE;
        if (open && tail == full) {
            Segment<E> following = new Segment<>(full.base + SEGMENT);
            full.following = following;
            tail = following;
        }
        return open;
    }

    /** Takes no more from now on; returns the inbox to be used instead, which numbers on. */
    synchronized Inbox<E> close(long tick) {
        Segment<E> last = tail;
        pushedAtClose = last.base + Math.min(last.reserved.getAndAdd(SEGMENT), SEGMENT);
        return new Inbox<>(tick, pushedAtClose);
    }

    /** How many timers have been pushed since the beginning. */
    long pushed() {
        Segment<E> segment = tail;
        return Math.min(segment.base + Math.min(segment.reserved.get(), SEGMENT), pushedAtClose);
    }

    /** Whether there are timers that were not taken, though they may be on their way still. Polling thread only. */
    boolean hasMore() {
        return pushed() != head.base + next;
    }

    /**
     * Takes the timers that are there, in the order of their numbers. Polling thread only.
     *
     * @return whether it got all; {@code false} if one is on its way still
     */
    boolean take(Consumer<Entry<E>> to) {
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
            head.setPlain(next++, null);
            to.accept(entry);
        }
        return true;
    }
}
