package io.delayjob.wheel;

import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicReferenceArray;
import java.util.function.ObjLongConsumer;
import org.jspecify.annotations.Nullable;

/**
 * An unbounded queue through which any thread passes new timers to the polling thread. A push reserves the next place
 * by a fetch-and-add, which never has to be repeated, and then writes the timer there.
 *
 * <p>If a thread is slow to write to its place, the timers in later places wait. The polling thread {@linkplain
 * #hasMore() notices} this, and takes these timers later.
 */
final class Inbox<E> {

    private static final int SEGMENT = 1024;

    private volatile Segment<E> tail = new Segment<>(0);

    /** Only the polling thread uses this field. */
    private Segment<E> head = tail;

    private int next;

    private static final class Segment<E> extends AtomicReferenceArray<@Nullable Entry<E>> {

        private final long base;
        private final AtomicInteger reserved = new AtomicInteger();

        /** A tick is written before its entry, and read after its entry. */
        private final long[] ticks = new long[SEGMENT];

        private volatile @Nullable Segment<E> following;

        Segment(long base) {
            super(SEGMENT);
            this.base = base;
        }
    }

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

    /** Timers that are still being pushed count, too. */
    long pushed() {
        Segment<E> segment = tail;
        return segment.base + Math.min(segment.reserved.get(), SEGMENT);
    }

    /** Only the polling thread may call this method. */
    boolean hasMore() {
        return pushed() != head.base + next;
    }

    /**
     * Takes the timers in the order of their places. Only the polling thread may call this method.
     *
     * @return {@code false} if a timer is still being pushed
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
