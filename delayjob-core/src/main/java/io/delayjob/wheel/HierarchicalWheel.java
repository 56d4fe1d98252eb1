package io.delayjob.wheel;

import java.time.Duration;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.function.Consumer;
import java.util.stream.IntStream;
import org.jspecify.annotations.Nullable;

/**
 * A hierarchical timing wheel: a data structure for timers. The wheel holds any number of timers, and returns the due
 * timers in order. It starts no thread and reads no clock. {@link TimingWheel} calls it.
 *
 * <h2>How it works</h2>
 *
 * The wheel counts time in ticks. It has levels of 256 slots each. A slot of level 0 covers one tick, a slot of level 1
 * covers 256 ticks, and a slot of level 2 covers 65,536 ticks. There are enough levels for all 64 bits of a time. To
 * find the place of a timer, write the timer's tick and the current tick as numbers to the base 256. Then compare the
 * digits of both numbers. <em>The highest digit that differs tells the level of the timer. The value of this digit in
 * the timer's tick tells the slot.</em>
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
 * Time moves from one occupied slot to the next. The bitmap of each level finds the next occupied slot, so empty slots
 * cost nothing. All slots of level 0 belong to the current slot of level 1, and so begin before the next slot of level
 * 1. The same holds for each higher level. Therefore the wheel always continues with the first occupied slot of the
 * lowest occupied level. When the wheel reaches tick 2.255, the timer of level 0 fires. After that, slot 3 of level 1
 * begins, and the current tick becomes 3.0. The timers of that slot <em>cascade</em>: they move to the level below.
 * Each timer moves to the slot with the number of its next digit. So the timer for tick 3.1 goes to slot 1 of level 0.
 * Slot 7 of level 1 does not change until tick 7.0.
 *
 * <p><em>Few timers:</em> if a slot has at most 64 timers, the wheel needs a poll only when the first of them is due,
 * and not when the slot begins. If a slot has only one timer, the timer fires from its slot without a cascade.
 * Therefore the owner wakes up only once for that timer, even after a long delay.
 *
 * <p><em>Many timers</em> move to lower levels before their slot begins. For this, the wheel needs additional polls if
 * a slot holds more than about a thousand timers. The first of these polls comes before the slot begins. It is earlier
 * by one microsecond for each timer, times the number of the slot's level. The slot gets a lower level of its own. Each
 * of these polls moves some timers of the slot to that level. When the slot begins, the wheel's lower level is empty,
 * and the slot's lower level replaces it. The remaining timers of the slot then cascade, a limited number in each poll.
 *
 * <h2>Guarantees</h2>
 *
 * <ul>
 * <li><em>Never early.</em> A deadline is rounded up to a tick. A poll that comes one tick or more after the deadline
 * finds the timer due. If a timer is added after its deadline, it is due in the next poll.
 * <li><em>In order.</em> Timers fire in the order of their ticks. Timers of the same tick fire in the order of arrival.
 * <li><em>Any time.</em> As with {@link System#nanoTime()}, times may be negative and may overflow, because the wheel
 * compares times by their difference. Between two polls, time may advance by up to 292 years, the maximum difference.
 * If a time is before the previous time, the wheel uses the previous time.
 * <li><em>Bounded work.</em> Each poll has a limit for the number of timers that it fires or moves down. The next poll
 * continues with the remaining timers. Due timers come before timers that only move down.
 * </ul>
 *
 * <h2>Costs</h2>
 *
 * Adding a timer takes constant time. Firing a timer also takes constant time, because a timer moves down at most seven
 * times before it fires. With the default tick of {@link TimingWheel} and a delay of one hour, a timer moves down three
 * times. A search for the next occupied slot reads at most 32 words of memory. A timer takes 31 bytes. Its object takes
 * 24 bytes. In the arrays of a slot, the timer takes a reference and two bytes. One more byte is its share of the
 * arrays' own size. The empty entry of a cancelled timer stays in its slot until the slot begins or the owner calls
 * {@link #sweep}.
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
 * Structures for the Efficient Implementation of a Timer Facility</cite> (SOSP 1987). Apache Kafka's purgatory does not
 * tick either: with a queue of slots, it goes from one occupied slot to the next. Tokio's timer also places timers by
 * the highest digit that differs, and finds the next slot in a bitmap.
 *
 * @param <E> the type of a timer's element
 */
final class HierarchicalWheel<E> {

    /** Number of levels if a tick is 1 ns. Longer ticks need fewer levels. */
    static final int LEVELS = Long.SIZE / Level.BITS;

    /**
     * Maximum delay: 146 years. Two times in nanoseconds of 64 bits can be compared if they differ by up to 292 years.
     * The other 146 years remain for an owner that polls the wheel late.
     */
    static final long LONGEST_DELAY = 1L << 62;

    /** Number of cancelled timers that may always stay in the slots, even if there are few pending timers. */
    private static final int LITTLE_GARBAGE = 1024;

    private final long startNanos;
    private final int tickShift;
    private final Counts counts;
    private final Ahead ahead;
    private final Level<E>[] levels;
    private final Sweep<E> sweep;

    // All times are nanoseconds since the creation of the wheel. All relevant times are after the position, so times
    // are compared by their distance from the position.

    /** The time at which the current tick began. All timers of earlier ticks have already fired. */
    private long position;

    /** The latest polled time. The position follows this time as quickly as the limit of each poll permits. */
    private long target;

    /**
     * The level of the slot that is being emptied: its timers are firing or moving down at present. If this level is
     * above 0, the slot may still hold timers. All timers on lower levels then come from this slot. If the time of a
     * new timer lies in this slot's range, the timer goes behind the timers that are still in the slot.
     */
    private int emptying;

    /**
     * The next slot to begin, or {@code null} if no other slot is occupied. The slot may be empty by now, because a
     * sweep may have dropped its last timers.
     */
    private @Nullable Slot<E> next;

    /**
     * @param startNanos the present time, on the clock that all later deadlines and polls use
     * @param tick length of a tick, from 1 ns to 1 s; it is rounded down to a power of two, in nanoseconds
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
     * Returns the beginning of the timer's tick, which is the first tick that begins at or after the deadline. If the
     * deadline has passed, the result is the current tick, so that the timer does not wait for the next tick.
     *
     * @param delayNanos time from now to the deadline, at most {@link #LONGEST_DELAY}
     */
    long timeFor(long nowNanos, long delayNanos) {
        long now = timeAt(nowNanos);
        return delayNanos > 0 ? startOfTick(now + delayNanos + tickNanos() - 1) : startOfTick(now);
    }

    /** @param time a result of {@link #timeFor}. The caller must then {@linkplain #add add} the new timer */
    Entry<E> entry(Runnable onCancel, E element, long time) {
        return new Entry<>(onCancel, element, lowTick(time));
    }

    private int lowTick(long time) {
        return (int) (time >>> tickShift);
    }

    private long startOfTick(long time) {
        return time & -tickNanos();
    }

    /** @param time the same time that {@link #entry} has received */
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
     * Tells the wheel the present time. If no timer is due, the position of the wheel moves to this time. So new timers
     * are added on the lowest possible level.
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
     * Advances the time, passes due timers to the consumer in order, and moves timers down. The call stops early if it
     * reaches the limit. If the consumer throws an exception, the timer that the consumer received has ended. All other
     * timers wait for the next poll.
     *
     * @param limit maximum number of timers that the call fires or moves, at least 1
     * @return nanoseconds from {@code nowNanos} until the next poll is needed: 0 if a poll is needed at once,
     *     {@link Long#MAX_VALUE} if the wheel is empty. No timer is due before that time
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
     * Returns the slot with timers that are due or must move down at present. Returns {@code null} if there is no such
     * slot.
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

    /** Continues on the next lower level, because all timers of the current slot have moved down to it. */
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

    /**
     * Fires the only timer of a slot directly, because moving it down level by level would cost too much. When the
     * consumer receives the timer, the slot is empty, and the current tick is the tick of the timer. This is the same
     * state as after moving the timer down level by level.
     */
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
     * Returns how long the owner may sleep.
     *
     * @return nanoseconds from the latest poll until the next necessary poll. If a poll is needed at once, the number
     *     is 0. If the wheel is empty, the number is {@link Long#MAX_VALUE}. No timer becomes due within this time
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

    /** At this time, the timers of the current tick became due. */
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

    /**
     * Drops cancelled timers, beginning at the place where the previous call stopped.
     *
     * @return whether there are more slots to sweep; if not, the next call begins with the first slot again
     */
    boolean sweep(int limit) {
        boolean more = sweep.go(limit);
        if (emptying == 0) {
            findNext();
        }
        return more;
    }

    /** The elements are in any order. After this call, the wheel must not be used. */
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
