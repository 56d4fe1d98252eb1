package io.delayjob.wheel;

import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicReferenceArray;
import java.util.function.ObjLongConsumer;
import org.jspecify.annotations.Nullable;

/**
 * An unbounded queue through which any thread passes new timers to the polling thread. A push reserves the next place
 * by one fetch-and-add. Unlike a compare-and-set, a fetch-and-add never has to be repeated. After that, the push writes
 * the timer and its tick into the reserved place. Places are numbered from 1, so place n belongs to the n-th timer.
 *
 * <p>If a thread has reserved a place, but is slow to write to it, the timers in later places must wait. The polling
 * thread {@linkplain #hasMore() notices} such timers and takes them later.
 */
final class Inbox<E> {

    private static final int SEGMENT = 1024;

    private volatile Segment<E> tail = new Segment<>(0);

    /** The polling thread takes the next timers from this segment. Only the polling thread uses this field. */
    private Segment<E> head = tail;

    private int next;

    private static final class Segment<E> extends AtomicReferenceArray<@Nullable Entry<E>> {

        private final long base;
        private final AtomicInteger reserved = new AtomicInteger();

        /** Contains the ticks of the entries. A tick is written before its entry, and read after its entry. */
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

    /**
     * Timers that are still being pushed count, too.
     */
    long pushed() {
        Segment<E> segment = tail;
        return segment.base + Math.min(segment.reserved.get(), SEGMENT);
    }

    /**
     * Timers that are still being pushed count as not taken. Only the polling thread may call this method.
     */
    boolean hasMore() {
        return pushed() != head.base + next;
    }

    /**
     * Takes the timers that have arrived, each with its tick. The order is that of the numbers that the timers got when
     * they were pushed. Only the polling thread may call this method.
     *
     * @return whether all timers were taken; {@code false} if a timer is still being pushed
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
