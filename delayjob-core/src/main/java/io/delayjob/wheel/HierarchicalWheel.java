package io.delayjob.wheel;

import java.time.Duration;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.function.Consumer;
import java.util.stream.IntStream;
import org.jspecify.annotations.Nullable;

/**
 * A hierarchical timing wheel: a data structure for timers. The wheel starts no thread and reads no clock.
 *
 * <h2>How it works</h2>
 *
 * The wheel counts time in ticks, and has levels of 256 slots each. A slot of level 0 covers one tick, and a slot of
 * level 1 covers 256 ticks. To find the place of a timer, write the timer's tick and the current tick as numbers to the
 * base 256. Then compare the digits. <em>The highest digit that differs tells the level of the timer. The value of this
 * digit in the timer's tick tells the slot.</em>
 *
 * <pre>
 *   current tick            2 . 254        (digits of level 1 and level 0, the higher ones are all 0)
 *   a timer for tick        2 . 255        differs first on level 0: slot 255 of level 0
 *   another for tick        3 .   1        differs first on level 1: slot   3 of level 1
 *   and one for tick        7 .  40        differs first on level 1: slot   7 of level 1
 *
 *             slot  0   1   2   3   4   5   6   7  ...  254 255
 *   level 1         .   .   ^   x   .   .   .   x  ...   .   .       ^  where the current tick is
 *   level 0         .   .   .   .   .   .   .   .  ...   ^   x       x  occupied
 * </pre>
 *
 * Each level has a bitmap for finding the next occupied slot. The wheel always continues with the first occupied slot
 * of the lowest occupied level. When the wheel reaches tick 2.255, the timer of level 0 fires. After that, slot 3 of
 * level 1 begins, and the current tick becomes 3.0. The timers of that slot <em>cascade</em>: they move to the level
 * below.
 *
 * <p><em>Few timers:</em> if a slot has at most 64 timers, the wheel needs a poll only when the first of them is due.
 *
 * <p><em>Many timers</em> move to lower levels before their slot begins, so that each poll has little work. Until the
 * slot begins, these timers are on a level that belongs to the slot. When the slot begins, this level replaces the
 * wheel's lower level, which is then empty.
 *
 * <h2>Guarantees</h2>
 *
 * <ul>
 * <li><em>Never early.</em> A deadline is rounded up to a tick.
 * <li><em>In order.</em> Timers fire in the order of their ticks. Timers of the same tick fire in the order of arrival.
 * <li><em>Any time.</em> As with {@link System#nanoTime()}, times may be negative and may overflow. If a time is before
 * the previous time, the wheel uses the previous time.
 * <li><em>Bounded work.</em> Each poll has a limit for the number of timers that it fires or moves down. Due timers
 * fire before other timers move down.
 * </ul>
 *
 * <h2>Costs</h2>
 *
 * The wheel adds and fires a timer in constant time, because a timer moves down at most seven times. A timer takes 31
 * bytes. The empty entry of a cancelled timer stays in its slot until the slot begins or the owner calls {@link
 * #sweep}.
 *
 * <h2>Threads</h2>
 *
 * Only one thread at a time may use the wheel, so the owner must synchronize. Any thread may call {@link #timeFor},
 * {@link #levels()}, {@link #cascades()} and the handles of timers. A task that a poll fires may add timers, but must
 * not call {@link #poll}.
 *
 * <h2>Origin</h2>
 *
 * The hierarchy of wheels is scheme 7 of G. Varghese and T. Lauck, <cite>Hashed and Hierarchical Timing Wheels: Data
 * Structures for the Efficient Implementation of a Timer Facility</cite> (SOSP 1987). The timing wheel of Apache
 * Kafka's purgatory also skips empty slots, because it keeps the occupied slots in a queue. Tokio's timer also places
 * timers by the highest digit that differs, and finds the next slot in a bitmap.
 */
final class HierarchicalWheel<E> {

    /** Number of levels for a tick of 1 ns. Longer ticks need fewer levels. */
    static final int LEVELS = Long.SIZE / Level.BITS;

    /**
     * Maximum delay: 146 years. Two times can be compared if they differ by less than twice this delay. So an owner may
     * poll late.
     */
    static final long LONGEST_DELAY = 1L << 62;

    private static final int LITTLE_GARBAGE = 1024;

    private final long startNanos;
    private final int tickShift;
    private final Counts counts;
    private final Ahead ahead;
    private final Level<E>[] levels;
    private final Sweep<E> sweep;

    // All times are nanoseconds since the creation of the wheel. They are compared by their distance from the position.

    /** The time at which the current tick began. */
    private long position;

    /**
     * The time of the latest poll. The position may be earlier, because each poll handles a limited number of timers.
     */
    private long target;

    /**
     * The level of the slot that is being emptied. If this level is above 0, all timers on lower levels come from this
     * slot. A new timer in the slot's range goes behind the timers that are still in the slot.
     */
    private int emptying;

    /**
     * The next slot to begin; {@code null} if there is none. The slot may be empty, because a sweep may have dropped
     * its last timers.
     */
    private @Nullable Slot<E> next;

    /**
     * @param startNanos the present time, on the clock of all later deadlines and polls
     * @param tick the length of a tick, from 1 ns to 1 s. The number of nanoseconds is rounded down to a power of two
     */
    HierarchicalWheel(long startNanos, Duration tick) {
        this.startNanos = startNanos;
        this.tickShift = Long.SIZE - 1 - Long.numberOfLeadingZeros(tick.toNanos());
        Commons<E> commons = new Commons<>(tickShift);
        this.counts = commons.counts();
        this.ahead = commons.ahead();
        this.levels = Level.all(commons);
        this.sweep = new Sweep<>(levels, commons.chunks());
    }

    long timeAt(long nowNanos) {
        return nowNanos - startNanos;
    }

    /**
     * Returns the first tick that begins at or after the deadline. If the deadline has passed, the result is the
     * current tick, so that the timer does not wait.
     *
     * @param delayNanos time from now to the deadline, at most {@link #LONGEST_DELAY}
     */
    long timeFor(long nowNanos, long delayNanos) {
        long now = timeAt(nowNanos);
        return delayNanos > 0 ? startOfTick(now + delayNanos + tickNanos() - 1) : startOfTick(now);
    }

    /**
     * @param time a result of {@link #timeFor}; the caller must then {@linkplain #add add} the timer with the same time
     */
    Entry<E> entry(Runnable onCancel, E element, long time) {
        return new Entry<>(onCancel, element, lowTick(time));
    }

    private int lowTick(long time) {
        return (int) (time >>> tickShift);
    }

    private long startOfTick(long time) {
        return time & -tickNanos();
    }

    void add(Entry<E> entry, long time) {
        long late = position - time;
        if (!entry.isPending()) {
            counts.dropped(1);
        } else if (late > 0 && late < LONGEST_DELAY) {
            entry.postponeTo(lowTick(position));
            place(entry, position);
        } else {
            place(entry, time);
        }
    }

    private void place(Entry<E> entry, long time) {
        int highestDigit =
                (Long.SIZE - 1 - Long.numberOfLeadingZeros((time ^ position) >>> tickShift | 1)) / Level.BITS;
        Slot<E> slot = levels[Math.max(emptying, highestDigit)].add(entry, time);
        if (slot.start() != position && (next == null || isBefore(slot.start(), next.start()))) {
            next = slot;
        }
    }

    private boolean isBefore(long time, long other) {
        return Long.compareUnsigned(time - position, other - position) < 0;
    }

    /**
     * If no timer is due, the position moves to this time, so that new timers are added on the lowest possible level.
     */
    void moveOn(long nowNanos) {
        long now = timeAt(nowNanos);
        if (now - target > 0) {
            target = now;
        }
        if (isCurrentTickEmpty() && (next == null || !isReached(next))) {
            position = startOfTick(target);
        }
    }

    /**
     * If the consumer throws an exception, its timer has ended. All other timers wait for the next poll.
     *
     * @param limit maximum number of timers that the call fires or moves, at least 1
     * @return nanoseconds from {@code nowNanos} until the next poll is needed; {@link Long#MAX_VALUE} if the wheel is
     *     empty
     */
    long poll(long nowNanos, int limit, Consumer<? super E> due) {
        moveOn(nowNanos);
        int left = limit;
        Slot<E> slot = dueSlot();
        while (slot != null && left > 0) {
            left -= emptying == 0 ? slot.fire(left, due) : cascade(slot, left, due);
            slot = dueSlot();
        }
        if (slot == null) {
            position = startOfTick(target);
            moveAhead(left);
        }
        return nanosToNext();
    }

    /**
     * Returns the next slot with timers that are due or must move down. Returns {@code null} if there is no such slot.
     */
    private @Nullable Slot<E> dueSlot() {
        while (true) {
            Slot<E> slot = levels[emptying].slotAt(position);
            if (slot != null && slot.first() != null) {
                return slot;
            }
            if (emptying > 0) {
                descend(slot);
            } else {
                Slot<E> following = next;
                if (following == null || !isReached(following)) {
                    return null;
                }
                begin(following);
            }
        }
    }

    private void begin(Slot<E> slot) {
        position = slot.start();
        emptying = slot.levelNumber();
        if (emptying == 0) {
            findNext();
        }
    }

    private void descend(@Nullable Slot<E> slot) {
        emptying--;
        Level<E> below = slot == null ? null : slot.leaveBelow();
        if (below != null) {
            levels[emptying] = below;
        }
        if (emptying == 0) {
            findNext();
        }
    }

    private int cascade(Slot<E> slot, int most, Consumer<? super E> due) {
        if (slot.isLone() && !isBefore(target, slot.firstTime())) {
            fireLone(slot, due);
            return 1;
        }
        return slot.cascade(most, levels[emptying - 1]);
    }

    /** Fires the only timer of a slot directly, because moving the timer down level by level would cost too much. */
    private void fireLone(Slot<E> slot, Consumer<? super E> due) {
        position = slot.firstTime();
        emptying = 0;
        E element = slot.endFirst();
        slot.tidy();
        findNext();
        if (element != null) {
            due.accept(element);
        }
    }

    private void moveAhead(int limit) {
        int left = limit;
        while (left > 0 && ahead.isDueAt(target)) {
            Slot<E> slot = Level.mostUrgent(levels);
            ahead.set(slot);
            if (slot != null && ahead.isDueAt(target)) {
                left -= slot.moveAhead(left);
            }
        }
    }

    /**
     * Returns nanoseconds from the latest poll until the next poll is needed; {@link Long#MAX_VALUE} if the wheel is
     * empty.
     */
    long nanosToNext() {
        if (!isCurrentTickEmpty()) {
            return 0;
        }
        if (next == null) {
            return Long.MAX_VALUE;
        }
        return Math.min(Math.max(0, next.dueTime() - target), ahead.nanosFrom(target));
    }

    private boolean isCurrentTickEmpty() {
        Slot<E> current = levels[emptying].slotAt(position);
        return emptying == 0 && (current == null || current.first() == null);
    }

    private boolean isReached(Slot<E> slot) {
        return !isBefore(target, slot.start());
    }

    private void findNext() {
        for (Level<E> level : levels) {
            next = level.firstAfter(position);
            if (next != null) {
                return;
            }
        }
        next = levels[levels.length - 1].first(); // where times wrap around
    }

    long tickStartNanos() {
        return startNanos + position;
    }

    long dropped() {
        return counts.dropped();
    }

    int lying() {
        return counts.lying();
    }

    boolean isTooMuchGarbage(long garbage) {
        return garbage > LITTLE_GARBAGE && garbage > lying() / 2;
    }

    /** @return whether there are more slots to sweep; if not, the next call begins with the first slot again */
    boolean sweep(int limit) {
        boolean more = sweep.go(limit);
        if (emptying == 0) {
            findNext();
        }
        return more;
    }

    /** After this call, the wheel must not be used. */
    List<E> endAll() {
        List<E> ended = new ArrayList<>();
        for (Level<E> level : levels) {
            level.endAll(ended);
        }
        return ended;
    }

    List<LevelOccupancy> levels() {
        Duration tick = Duration.ofNanos(tickNanos());
        return IntStream.range(0, LEVELS)
                .mapToObj(level ->
                        new LevelOccupancy(level, tick.multipliedBy(1L << (level * Level.BITS)), counts.lyingOn(level)))
                .toList();
    }

    List<WheelSnapshot.LevelSlots> slots() {
        // While the timers of a slot are moving down, the level below belongs to both the slot and the wheel.
        Level<E> shared = emptying == 0 ? null : levels[emptying - 1];
        return Arrays.stream(levels)
                .map(level -> level.snapshot(position, shared))
                .toList();
    }

    long cascades() {
        return counts.moved();
    }

    long tickNanos() {
        return 1L << tickShift;
    }
}
