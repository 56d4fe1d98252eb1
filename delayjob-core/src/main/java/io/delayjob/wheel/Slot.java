package io.delayjob.wheel;

import java.util.List;
import java.util.Objects;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/**
 * Contains the timers of one slot, in order of arrival:
 *
 * <pre>
 *   slot 3 of level 2     [ chunk ] → [ chunk ] → [ chunk ]     the queue: timers in order of arrival
 *       |
 *     below               slot 0, slot 1, ... slot 255          a level 1 of its own: timers that came before those
 * </pre>
 *
 * <p>Timers move down from the front of the queue to the level below. Once all timers have moved down, new timers go
 * directly to this level. Therefore no timer overtakes another timer. When the slot begins, the level below it becomes
 * a level of the wheel.
 */
final class Slot<E> {

    /**
     * Maximum number of chunks that a slot keeps until it begins. The timers of these chunks move down in a tenth of a
     * millisecond.
     */
    private static final int MAX_CHUNKS_LEFT = 16;

    /**
     * The time that is reserved for moving one timer down by one level. Moving a timer usually takes a tenth of this
     * time.
     */
    private static final long NANOS_TO_MOVE = 1_000;

    private final Level<E> level;
    private final Commons<E> commons;
    private long start;
    private long earliest;
    private @Nullable Chunk<E> first;
    private @Nullable Chunk<E> last;
    private int length;
    private @Nullable Level<E> below;

    Slot(Level<E> level) {
        this.level = level;
        this.commons = level.commons();
    }

    int levelNumber() {
        return level.number();
    }

    long start() {
        return start;
    }

    @Nullable
    Chunk<E> first() {
        return first;
    }

    boolean isEmpty() {
        return first == null && below == null;
    }

    boolean isLone() {
        return first != null && first == last && first.size() == 1 && below == null;
    }

    /**
     * A slot with a short queue waits until its first timer is due, so that the owner wakes up less often. A slot with
     * a longer queue begins on time, so that its timers have moved down before they are due.
     */
    long dueTime() {
        return below == null && first == last ? earliest : start;
    }

    /** The timers of a large slot must begin to move down early. */
    boolean isLarge() {
        return length > MAX_CHUNKS_LEFT && level.number() > 0;
    }

    long aheadTime() {
        return start - (long) length * Chunk.CAPACITY * NANOS_TO_MOVE * level.number();
    }

    @Nullable
    Slot<E> mostUrgent() {
        return moreUrgent(isLarge() ? this : null, below == null ? null : below.mostUrgent());
    }

    static <E> @Nullable Slot<E> moreUrgent(@Nullable Slot<E> one, @Nullable Slot<E> other) {
        if (one == null || other == null) {
            return one == null ? other : one;
        }
        return other.aheadTime() - one.aheadTime() < 0 ? other : one;
    }

    Slot<E> add(Entry<E> entry, long time) {
        if (first == null) {
            if (below != null) {
                return below.add(entry, time);
            }
            start = level.startOf(time);
            earliest = time;
        } else if (time - earliest < 0) {
            earliest = time;
        }
        Chunk<E> target = last;
        if (target == null || target.isFull()) {
            target = append(commons.chunks().get(level.number()));
        }
        target.add(entry, time >>> commons.tickShift());
        commons.counts().came(level.number());
        return this;
    }

    private Chunk<E> append(Chunk<E> chunk) {
        if (last == null) {
            first = chunk;
        } else {
            last.next = chunk;
        }
        last = chunk;
        length++;
        if (isLarge()) {
            commons.ahead().note(this);
        }
        return chunk;
    }

    long firstTime() {
        return timeIn(nonEmptyQueue());
    }

    private long timeIn(Chunk<E> chunk) {
        return chunk.firstTick(start >>> commons.tickShift()) << commons.tickShift();
    }

    private Chunk<E> nonEmptyQueue() {
        return Objects.requireNonNull(first, "The queue has no timers");
    }

    @Nullable
    E endFirst() {
        E element = nonEmptyQueue().removeFirst().end();
        commons.counts().left(level.number(), 1);
        if (element == null) {
            commons.counts().dropped(1);
        }
        return element;
    }

    int fire(int most, Consumer<? super E> due) {
        Chunk<E> chunk = nonEmptyQueue();
        int count = Math.min(most, chunk.size());
        // All entries are read before the first timer is taken, so that the cache misses overlap.
        if (chunk.pending(count) == 0) {
            chunk.removeFirst(count);
            drop(count);
        } else {
            for (int i = 0; i < count; i++) {
                E element = endFirst();
                if (element != null) {
                    due.accept(element);
                }
            }
        }
        tidy();
        return count;
    }

    private void drop(int count) {
        commons.counts().left(level.number(), count);
        commons.counts().dropped(count);
    }

    void tidy() {
        Chunk<E> chunk = first;
        if (chunk != null && chunk.isEmpty()) {
            first = chunk.next;
            if (first == null) {
                last = null;
            }
            giveBack(chunk);
        }
    }

    private void giveBack(Chunk<E> chunk) {
        length--;
        commons.chunks().giveBack(chunk);
        if (isEmpty()) {
            level.vacate(this);
        }
    }

    /** Returns {@code null} if there is no level below. The queue must be empty. */
    @Nullable
    Level<E> leaveBelow() {
        Level<E> left = below;
        if (left != null) {
            below = null;
            level.vacate(this);
        }
        return left;
    }

    /** Called before the slot begins. */
    int moveAhead(int most) {
        return moveDown(most, below == null ? new Level<>(level.number() - 1, commons) : below);
    }

    /**
     * Moves timers to the level below, after the slot has begun.
     *
     * @param empty a level for the timers if this slot has no level below it yet
     */
    int cascade(int most, Level<E> empty) {
        return moveDown(most, below == null ? empty : below);
    }

    private int moveDown(int most, Level<E> target) {
        below = target;
        int moved = 0;
        for (Chunk<E> chunk = first; chunk != null && moved < most; chunk = first) {
            int count = Math.min(most - moved, chunk.size());
            // The timers of level 1 will fire soon. This loop brings them into the cache.
            if (level.number() == 1 && chunk.pending(count) == 0) {
                chunk.removeFirst(count);
                drop(count);
            } else {
                moveDown(chunk, count, target);
            }
            moved += count;
            tidy();
        }
        return moved;
    }

    private void moveDown(Chunk<E> chunk, int count, Level<E> target) {
        for (int i = 0; i < count; i++) {
            long time = timeIn(chunk);
            target.add(chunk.removeFirst(), time);
        }
        commons.counts().left(level.number(), count);
        commons.counts().moved(count);
    }

    /** Drops the cancelled timers of a chunk, and fills the free places with timers of the next chunk, in order. */
    void compact(Chunk<E> chunk) {
        int dropped = chunk.compact();
        Chunk<E> behind = chunk.next;
        if (behind != null) {
            dropped += chunk.fillFrom(behind);
            if (behind.isEmpty()) {
                chunk.next = behind.next;
                if (behind == last) {
                    last = chunk;
                }
                giveBack(behind);
            }
        } else if (chunk == first) {
            tidy();
        }
        drop(dropped);
    }

    /** @param shared a level of the wheel; timers on this level are not counted */
    int timers(@Nullable Level<E> shared) {
        int timers = below == null || below == shared ? 0 : below.timers();
        for (Chunk<E> chunk = first; chunk != null; chunk = chunk.next) {
            timers += chunk.size();
        }
        return timers;
    }

    void endAll(List<E> ended) {
        if (below != null) {
            below.endAll(ended);
        }
        for (Chunk<E> chunk = first; chunk != null; chunk = chunk.next) {
            chunk.endAll(ended);
        }
    }
}
