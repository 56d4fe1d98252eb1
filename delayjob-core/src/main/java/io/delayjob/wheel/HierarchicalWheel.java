package io.delayjob.wheel;

import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.function.Consumer;
import java.util.stream.IntStream;
import org.jspecify.annotations.Nullable;

/**
 * A hierarchical timing wheel: holds any number of timers and hands out, in order, those that have come due. It is
 * passive: it starts no thread and reads no clock. {@link TimingWheel} drives it.
 *
 * <h2>How it works</h2>
 *
 * The wheel counts time in ticks. It has levels of 256 slots. A slot of level 0 stands for one tick, a slot of level 1
 * for 256 ticks, of level 2 for 65,536, and so on, until the levels span all 64 bits of a time. Read a tick as a number
 * to the base 256: <em>a timer lies on the level of the highest digit in which its tick differs from the current one,
 * in the slot that this digit names.</em>
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
 * Time moves from one occupied slot to the next. The bitmap of each level finds it, and empty slots cost nothing.
 * Because all of level 0 lies within the current slot of level 1, the first occupied slot of the lowest level that has
 * one is always the next. At tick 2.255 the timer of level 0 fires. Then slot 3 of level 1 begins: the current tick
 * becomes 3.0, and the timers of that slot <em>cascade</em> to the level below, each to the slot that its next digit
 * names. The timer for tick 3.1 goes to slot 1 of level 0. Slot 7 is not touched until tick 7.0.
 *
 * <p><em>Few timers:</em> a slot with at most 64 timers asks for a poll when the first of them is due, not when the
 * slot begins. A lone timer fires from its slot. So the owner wakes up once for it, however far away it was.
 *
 * <p><em>Many timers</em> cascade ahead of time. If a slot holds more than about a thousand, the wheel asks for polls
 * before the slot begins, a microsecond early for each timer and level. Each such poll moves some timers down, to a
 * level that belongs to the slot. When the slot begins, that level takes the place of the wheel's, which is empty by
 * then. Timers that come too late for this cascade when the slot begins, a bounded number in each poll.
 *
 * <h2>What holds</h2>
 *
 * <ul>
 *   <li><em>Never early.</em> A deadline is rounded up to a tick. The first poll that comes a tick after a deadline, or
 *       later, finds the timer due. So does the very next poll if the deadline has passed when the timer is scheduled.
 *   <li><em>In order.</em> Timers fire in the order of their ticks, those of one tick in the order of arrival.
 *   <li><em>Any time.</em> Like those of {@link System#nanoTime()}, times may be negative, and are compared by their
 *       difference, so they may overflow. A poll may leap as far as a difference can tell, 292 years. An earlier time
 *       than the last is taken for the last.
 *   <li><em>Bounded work.</em> A poll touches at most as many timers as its limit says, to fire or to move them down,
 *       and the next poll continues there. Due timers come first.
 * </ul>
 *
 * <h2>What it costs</h2>
 *
 * To add a timer takes constant time. To fire it takes constant time, spread over its life: a timer moves down at most
 * seven times, with the default tick of {@link TimingWheel} and an hour's delay three times. To find the next occupied
 * slot reads at most 32 words. A timer takes 24 bytes, and a reference and two bytes in a slot's arrays, 31 bytes in
 * all. The empty entry of a cancelled timer lies in its slot until the slot begins or the owner sweeps.
 *
 * <h2>Who may call it</h2>
 *
 * One thread at a time: the owner synchronises. Any thread may call {@link #timeFor}, {@link #levels()},
 * {@link #cascades()} and the handles of timers. What a poll fires may add timers, but not poll.
 *
 * <h2>Where it comes from</h2>
 *
 * The hierarchy of wheels is scheme 7 of G. Varghese and T. Lauck, <cite>Hashed and Hierarchical Timing Wheels: Data
 * Structures for the Efficient Implementation of a Timer Facility</cite> (SOSP 1987). Going from one occupied slot to
 * the next instead of ticking is how Apache Kafka's purgatory drives its wheels, there with a queue of slots. Placing
 * by the highest digit that differs and finding the next slot in a bitmap is known from Tokio's timer.
 *
 * @param <E> what a timer carries
 */
final class HierarchicalWheel<E> {

    /** Number of levels with the finest tick; coarser ticks need fewer. */
    static final int LEVELS = Long.SIZE / Level.BITS;

    /** 146 years: half of what differences of nanoseconds can express, the other half is for a wheel polled late. */
    static final long LONGEST_DELAY = 1L << 62;

    /** This number of cancelled timers may lie in the slots, however few others there are. */
    private static final int LITTLE_GARBAGE = 1024;

    private final long startNanos;
    private final int tickShift;
    private final Counts counts;
    private final Ahead ahead;
    private final Level<E>[] levels;
    private final Sweep<E> sweep;

    // Times are nanoseconds since the start. Those that matter lie ahead of the position, so they compare as distances.

    /** When the current tick begins: all ticks before it have been dealt with. */
    private long position;

    /** The latest time polled. The position gets there as work permits. */
    private long target;

    /**
     * The level whose current slot is being emptied. Above 0, that slot may still hold timers, and the levels below
     * hold only timers that it held before. New timers of its range go behind them.
     */
    private int emptying;

    /** The next slot to begin, {@code null} if no other slot is occupied. A sweep may have emptied it. */
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

    /** The present as a time of the wheel. */
    long timeAt(long nowNanos) {
        return nowNanos - startNanos;
    }

    /**
     * When the tick of a timer begins: the first one at or after its deadline. If the deadline has passed, the current
     * tick counts, so the timer need not wait for the next one.
     *
     * @param delayNanos time from now to the deadline, at most {@link #LONGEST_DELAY}
     */
    long timeFor(long nowNanos, long delayNanos) {
        long now = timeAt(nowNanos);
        return delayNanos > 0 ? startOfTick(now + delayNanos + tickNanos() - 1) : startOfTick(now);
    }

    /** A new timer for a {@linkplain #timeFor time}, to be {@linkplain #add added}. */
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

    /** Takes note of the time, and moves there if no timer is due, so that new timers are placed as low as can be. */
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
     * consumer throws, its timer has been handed out, and all others wait for the next poll.
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

    /** The slot whose timers are due or have to cascade now, {@code null} if there is none. */
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

    /** Goes on one level below, where all timers of the current slot are now. */
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
     * Saves a lone timer its cascades, which would cost more than everything else. Before the consumer sees the timer,
     * the state is as after the cascades: the slot is empty, and the time is at the timer's tick.
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
        next = levels[levels.length - 1].first(); // where times start anew
    }

    /** When the current tick began: what fires is due since then. */
    long tickStartNanos() {
        return startNanos + position;
    }

    /** How many cancelled timers the wheel has come across, and let go of. */
    long dropped() {
        return counts.dropped();
    }

    /** Timers that lie in slots, cancelled ones included. */
    int lying() {
        return counts.lying();
    }

    /** Tells whether it is worth a sweep if this number of the timers that lie here are cancelled. */
    boolean isTooMuchGarbage(long garbage) {
        return garbage > LITTLE_GARBAGE && garbage > lying() / 2;
    }

    /**
     * Drops cancelled timers, going on where the last call stopped.
     *
     * @return whether there is more to see; if not, the next call begins anew
     */
    boolean sweep(int limit) {
        boolean more = sweep.go(limit);
        if (emptying == 0) {
            findNext();
        }
        return more;
    }

    /** Ends all timers and returns what they carried, in no particular order. The wheel is of no use after that. */
    List<E> endAll() {
        List<E> ended = new ArrayList<>();
        for (Level<E> level : levels) {
            level.endAll(ended);
        }
        return ended;
    }

    /** How full each of eight levels is, from the finest to the coarsest. */
    List<LevelOccupancy> levels() {
        Duration tick = Duration.ofNanos(tickNanos());
        return IntStream.range(0, LEVELS)
                .mapToObj(level ->
                        new LevelOccupancy(level, tick.multipliedBy(1L << (level * Level.BITS)), counts.lyingOn(level)))
                .toList();
    }

    /** How often a timer has moved to a lower level since the wheel was made. */
    long cascades() {
        return counts.moved();
    }

    /** Length of a tick in nanoseconds: a power of two. */
    long tickNanos() {
        return 1L << tickShift;
    }
}
