package io.delayjob.wheel;

import java.time.Duration;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.function.Consumer;
import java.util.stream.IntStream;
import org.jspecify.annotations.Nullable;

/**
 * A hierarchical timing wheel: it holds any number of timers and hands out the due ones in order. It is passive: it
 * starts no thread and reads no clock. {@link TimingWheel} drives it.
 *
 * <h2>How it works</h2>
 *
 * The wheel counts time in ticks. It has levels of 256 slots. A slot of level 0 stands for one tick, a slot of level
 * 1 for 256 ticks, a slot of level 2 for 65,536. The levels go on until they span all 64 bits of a time. Read a tick
 * as a number to the base 256: <em>a timer lies on the level of the highest digit in which its tick differs from the
 * current one, in the slot that this digit names.</em>
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
 * Time moves from one occupied slot to the next. The bitmap of each level finds the next occupied slot, and empty slots
 * cost nothing. All of level 0 lies within the current slot of level 1. So the first occupied slot of the lowest
 * occupied level is always the next one. At tick 2.255 the timer of level 0 fires. Then slot 3 of level 1 begins: the
 * current tick becomes 3.0, and the timers of that slot <em>cascade</em> to the level below, each to the slot that its
 * next digit names. The timer for tick 3.1 goes to slot 1 of level 0. Slot 7 is not touched until tick 7.0.
 *
 * <p><em>Few timers:</em> a slot with at most 64 timers asks for a poll when the first of them is due, not when the
 * slot begins. If a slot has only one timer, that timer fires from its slot without a cascade. So the owner wakes up
 * only once for that timer, even if the timer was far away.
 *
 * <p><em>Many timers</em> cascade ahead of time. If a slot holds more than about a thousand, the wheel asks for polls
 * before the slot begins: a microsecond earlier for each timer and level. Each such poll moves some timers down, to a
 * level that belongs to the slot. When the slot begins, that level replaces the wheel's own level, which is then empty.
 * Timers that arrive later cascade when the slot begins, a limited number in each poll.
 *
 * <h2>Guarantees</h2>
 *
 * <ul>
 *   <li><em>Never early.</em> A deadline is rounded up to a tick. The first poll that comes a tick after a deadline, or
 *       later, finds the timer due. So does the very next poll if the deadline has passed when the timer is scheduled.
 *   <li><em>In order.</em> Timers fire in the order of their ticks. Timers of the same tick fire in the order of
 *   arrival.
 *   <li><em>Any time.</em> As with {@link System#nanoTime()}, times may be negative and may overflow, because they are
 *       compared by their difference. A poll may jump as far as a difference can express, 292 years. If a time is
 *       before the previous time, the previous time counts.
 *   <li><em>Bounded work.</em> A poll fires or moves down at most as many timers as its limit says, and the next
 *       poll continues there. Due timers come first.
 * </ul>
 *
 * <h2>Costs</h2>
 *
 * Adding a timer takes constant time. Firing a timer takes constant time, spread over its life, because a timer moves
 * down at most seven times. With the default tick of {@link TimingWheel} and an hour's delay, a timer moves down three
 * times. A search for the next occupied slot reads at most 32 words. A timer takes 24 bytes, and a reference and two
 * bytes in a slot's arrays, 31 bytes in all. The empty entry of a cancelled timer stays in its slot until the slot
 * begins or the owner sweeps.
 *
 * <h2>Threads</h2>
 *
 * For one thread at a time: the owner must synchronize. Any thread may call {@link #timeFor}, {@link #levels()}, {@link
 * #cascades()} and the handles of timers. A task that a poll fires may add timers, but not poll.
 *
 * <h2>Origin</h2>
 *
 * The hierarchy of wheels is scheme 7 of G. Varghese and T. Lauck, <cite>Hashed and Hierarchical Timing Wheels: Data
 * Structures for the Efficient Implementation of a Timer Facility</cite> (SOSP 1987). Apache Kafka's purgatory also
 * goes from one occupied slot to the next instead of ticking, with a queue of slots. Tokio's timer also places timers
 * by the highest digit that differs, and finds the next slot in a bitmap.
 *
 * @param <E> the type of a timer's element
 */
final class HierarchicalWheel<E> {

    /** Number of levels with the finest tick; coarser ticks need fewer. */
    static final int LEVELS = Long.SIZE / Level.BITS;

    /** 146 years: half of the range of nanosecond differences. The other half is for a wheel that is polled late. */
    static final long LONGEST_DELAY = 1L << 62;

    /** Number of cancelled timers that may always stay in the slots, even if there are few other timers. */
    private static final int LITTLE_GARBAGE = 1024;

    private final long startNanos;
    private final int tickShift;
    private final Counts counts;
    private final Ahead ahead;
    private final Level<E>[] levels;
    private final Sweep<E> sweep;

    // Times are nanoseconds since the start. All relevant times lie ahead of the position, so they compare as
    // distances.

    /** The beginning of the current tick: all ticks before it are done. */
    private long position;

    /** The latest polled time. The position follows this time as quickly as the limit of each poll permits. */
    private long target;

    /**
     * The level whose current slot is being emptied. If it is above 0, that slot may still hold timers. The levels
     * below hold only timers from that slot. New timers of its range are added after them.
     */
    private int emptying;

    /** The next slot to begin, or {@code null} if no other slot is occupied. A sweep may have emptied it. */
    private @Nullable Slot<E> next;

    /**
     * Creates an empty wheel.
     *
     * @param startNanos the present time, on the clock of all later deadlines and polls
     * @param tick length of a tick, from 1 ns to 1 s; rounded down to a power of two nanoseconds
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

    /** Returns the present as a time of the wheel. */
    long timeAt(long nowNanos) {
        return nowNanos - startNanos;
    }

    /**
     * Returns the beginning of a timer's tick: the first tick at or after its deadline. If the deadline has passed, the
     * timer belongs to the current tick, so it need not wait for the next tick.
     *
     * @param delayNanos time from now to the deadline, at most {@link #LONGEST_DELAY}
     */
    long timeFor(long nowNanos, long delayNanos) {
        long now = timeAt(nowNanos);
        return delayNanos > 0 ? startOfTick(now + delayNanos + tickNanos() - 1) : startOfTick(now);
    }

    /** Returns a new timer for a {@linkplain #timeFor time}, to be {@linkplain #add added}. */
    Entry<E> entry(Runnable onCancel, E element, long time) {
        return new Entry<>(onCancel, element, lowTick(time));
    }

    private int lowTick(long time) {
        return (int) (time >>> tickShift);
    }

    private long startOfTick(long time) {
        return time & -tickNanos();
    }

    /** Adds a timer that was made for this time. */
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
     * Notes the time. If no timer is due, moves the position to that time, so that new timers lie on the lowest
     * possible level.
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
     * Advances the time, hands out due timers in order, and moves timers down, until the limit is reached. If the
     * consumer throws, its timer has been handed out, and all other timers wait for the next poll.
     *
     * @param limit maximum number of timers to touch, at least 1
     * @return nanoseconds from {@code nowNanos} until the next poll has something to do: 0 if it has already,
     *     {@link Long#MAX_VALUE} if the wheel is empty. The next timer is not due before.
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

    /** Returns the slot whose timers are due or have to cascade now, or {@code null} if there is none. */
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

    /** Goes on one level below, where all timers of the current slot now lie. */
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
     * Fires the only timer of a slot without its cascades, because these would be the largest cost. Before the consumer
     * gets the timer, the state is as after the cascades: the slot is empty, and the time is at the timer's tick.
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

    /** Moves timers down from large slots that begin soon, until the limit is reached. */
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
     * Tells how long the owner may sleep.
     *
     * @return nanoseconds from the latest poll until the next one has something to do: 0 if it has already,
     *     {@link Long#MAX_VALUE} if the wheel is empty. The next timer is not due before.
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

    /** Returns the beginning of the current tick: timers that fire now are due since then. */
    long tickStartNanos() {
        return startNanos + position;
    }

    /** Returns the number of cancelled timers that the wheel has found and dropped. */
    long dropped() {
        return counts.dropped();
    }

    /** Returns the number of timers in slots, including cancelled ones. */
    int lying() {
        return counts.lying();
    }

    /** Tells whether a sweep is worthwhile if this number of the timers in slots are cancelled. */
    boolean isTooMuchGarbage(long garbage) {
        return garbage > LITTLE_GARBAGE && garbage > lying() / 2;
    }

    /**
     * Drops cancelled timers, beginning where the last call stopped.
     *
     * @return whether there are more slots; if not, the next call begins again
     */
    boolean sweep(int limit) {
        boolean more = sweep.go(limit);
        if (emptying == 0) {
            findNext();
        }
        return more;
    }

    /** Ends all timers and returns their elements, in no particular order. The wheel must not be used after that. */
    List<E> endAll() {
        List<E> ended = new ArrayList<>();
        for (Level<E> level : levels) {
            level.endAll(ended);
        }
        return ended;
    }

    /** Returns the occupancy of each of eight levels, from the finest to the coarsest. */
    List<LevelOccupancy> levels() {
        Duration tick = Duration.ofNanos(tickNanos());
        return IntStream.range(0, LEVELS)
                .mapToObj(level ->
                        new LevelOccupancy(level, tick.multipliedBy(1L << (level * Level.BITS)), counts.lyingOn(level)))
                .toList();
    }

    /** The occupied slots of each level, as of the latest poll. */
    List<WheelSnapshot.LevelSlots> slots() {
        // While a slot is being emptied, the level below belongs to both the slot and the wheel.
        Level<E> shared = emptying == 0 ? null : levels[emptying - 1];
        return Arrays.stream(levels)
                .map(level -> level.snapshot(position, shared))
                .toList();
    }

    /** Returns the number of timers that have moved to a lower level since the wheel was created. */
    long cascades() {
        return counts.moved();
    }

    /** Returns the length of a tick in nanoseconds, which is a power of two. */
    long tickNanos() {
        return 1L << tickShift;
    }
}
