package io.delayjob.wheel;

import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * The timers of one slot, in the order in which they came: a queue of {@linkplain Chunk chunks}, of which only the
 * last may be empty. Those at its front may have been {@linkplain Split split} already.
 */
final class Slot<E> {

    /** A slot with more chunks than this, some thousand timers, is split before it begins. */
    private static final int MOST_UNSPLIT = 16;

    private final int level;
    private final Chunks<E> chunks;
    private @Nullable Chunk<E> first;
    private @Nullable Chunk<E> last;
    private int length;
    private long earliestTick;
    private @Nullable Split<E> split;

    Slot(int level, Chunks<E> chunks) {
        this.level = level;
        this.chunks = chunks;
    }

    @Nullable
    Chunk<E> first() {
        return first;
    }

    boolean isEmpty() {
        return first == null && split == null;
    }

    /** Whether a cascade of all its timers at once would take too long. */
    boolean isLarge() {
        return length > MOST_UNSPLIT;
    }

    /** Number of its chunks, without those already split. */
    int length() {
        return length;
    }

    /** The earliest tick of all timers that have been here since the slot was last empty. */
    long earliestTick() {
        return earliestTick;
    }

    boolean isLone() {
        return first != null && first.isLone() && split == null;
    }

    void add(Entry<E> entry, long tick) {
        if (isEmpty() || tick - earliestTick < 0) {
            earliestTick = tick;
        }
        Chunk<E> target = last;
        if (target == null || target.isFull()) {
            target = append(chunks.get(level));
        }
        target.add(entry, tick);
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
            chunks.changeLargeSlots();
        }
        return chunk;
    }

    /** Gives the first chunk back, which is empty. */
    void removeFirst(Chunk<E> emptied) {
        first = emptied.next;
        if (first == null) {
            last = null;
        }
        giveBack(emptied);
    }

    private void giveBack(Chunk<E> emptied) {
        if (isLarge()) {
            chunks.changeLargeSlots();
        }
        length--;
        chunks.giveBack(emptied);
    }

    /**
     * Drops the cancelled timers of a chunk and fills it up from the one behind it, in order. It may still have room
     * then.
     *
     * @return how many were dropped
     */
    int compact(Chunk<E> chunk) {
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
        }
        return dropped;
    }

    /** The part split off so far; {@code null} if there is none. */
    @Nullable
    Split<E> split() {
        return split;
    }

    /** The part split off so far, to add more to it. */
    Split<E> beginSplit(long startTick) {
        Split<E> begun = split;
        if (begun == null) {
            begun = new Split<>(level, startTick, chunks);
            split = begun;
        }
        return begun;
    }

    void removeSplit() {
        split = null;
    }

    /** Ends all timers, and collects their payloads. */
    void endAll(List<E> ended) {
        if (split != null) {
            split.endAll(ended);
        }
        for (Chunk<E> chunk = first; chunk != null; chunk = chunk.next) {
            chunk.endAll(ended);
        }
    }
}
