package io.delayjob.wheel;

import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import java.util.concurrent.atomic.AtomicLong;
import java.util.function.Consumer;
import java.util.stream.IntStream;
import org.jspecify.annotations.Nullable;

/**
 * A hierarchical timing wheel: holds any number of timers and hands out, in order, those that have come due. It is
 * passive: it starts no thread and reads no clock, time comes in as an argument.
 *
 * <h2>How it works</h2>
 *
 * Time is counted in ticks. The wheel has eight levels of 256 slots; a slot of level 0 stands for one tick, a slot of
 * level 1 for 256 ticks, of level 2 for 65,536, and so on, so that eight levels span all 64 bits of a tick. Read a
 * tick as a number of eight digits to the base 256: <em>a timer lies on the level of the highest digit in which its
 * tick differs from the current one, in the slot that this digit names.</em>
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
 * Time moves from one occupied slot to the next; the bitmap of each level finds it, and what is empty in between costs
 * nothing. Because all of level 0 lies within the current slot of level 1, the first occupied slot of the lowest level
 * that has one is always the next. At tick 2.255 the timer of level 0 fires. Then the next is slot 3 of level 1: the
 * current tick becomes 3.0, and the timers of that slot <em>cascade</em>: placed by the same rule anew, the one for
 * tick 3.1 now differs on level 0 and goes to slot 1 there. Slot 7 is not touched until tick 7.0.
 *
 * <p>With few timers, the owner need not wake up for a cascade. For a short slot of level 1 the wheel asks to be polled
 * when the first of its timers is due, not when the slot begins. The same holds for any slot with a single timer: it
 * fires from its slot, so the owner wakes up once for it, at its tick, however far away it was.
 *
 * <p>With many timers, a cascade takes long, and nothing fires meanwhile. So a slot of more than about a thousand
 * timers is <em>split</em> before it begins: the wheel asks to be polled early, a microsecond for each timer, and
 * moves them down in steps to levels of the slot's own. Between the steps, due timers fire. When the slot begins,
 * those levels take the place of the wheel's, which are empty by then.
 *
 * <h2>What holds</h2>
 *
 * <ul>
 *   <li><em>Never early.</em> A deadline is rounded up to a tick, the time down. The first poll that
 *       comes a tick after a deadline, or later, finds the timer due; so does the very next poll if the deadline has
 *       passed when the timer is scheduled.
 *   <li><em>In order.</em> Timers fire in the order of their ticks, those of one tick in the order in which they were
 *       scheduled.
 *   <li><em>Any time.</em> Like those of {@link System#nanoTime()}, times may be negative, and are compared by their
 *       difference, so they may overflow. A deadline may be up to 2<sup>63</sup>-1 ns (292 years) after the time last
 *       polled; a poll may leap as far. Time never moves back: an earlier time than the last is taken for the last.
 *   <li><em>Bounded work.</em> A poll touches at most as many timers as its limit says, be it to fire, to cascade or
 *       to split, and continues there the next time. Due timers come first.
 * </ul>
 *
 * <h2>What it costs</h2>
 *
 * To schedule and to cancel takes constant time. To fire takes constant time, spread over its life: a timer moves to a
 * lower level at most seven times, with the default tick of {@link TimingWheel} and an hour's delay three times. To
 * find the next occupied slot reads at most 32 words. A timer takes 24 bytes, and a reference and two bytes in a
 * slot's arrays, 31 bytes in all. On level 4 and above, beyond some hours with the default tick, the arrays take four
 * bytes more. The wheel itself takes some 10 KB, and half a kilobyte for each slot that is in use. What a cancelled
 * timer held is free at once; the empty timer lies in its slot until half of all are, then they are swept out in
 * small steps.
 *
 * <h2>Who may call it</h2>
 *
 * One thread at a time, handles included: the owner synchronises. Only {@link #size()}, {@link #levels()} and
 * {@link #cascades()} may be called by any thread; they may then be a moment old. What a poll fires may schedule and
 * cancel on the same wheel, but not poll it.
 *
 * <h2>Where it comes from</h2>
 *
 * The hierarchy of wheels is scheme 7 of G. Varghese and T. Lauck, <cite>Hashed and Hierarchical Timing Wheels: Data
 * Structures for the Efficient Implementation of a Timer Facility</cite> (SOSP 1987). Going from one occupied slot to
 * the next instead of ticking is how Apache Kafka's purgatory drives its wheels, there with a queue of slots; placing
 * by the highest digit that differs and finding the next slot in a bitmap is known from Tokio's timer.
 *
 * @param <E> what a timer carries
 */
public final class HierarchicalWheel<E> {

    private static final int LEVELS = Long.SIZE / Level.BITS;
    private static final int NONE = SlotSet.NONE;
    private static final Duration FINEST_TICK = Duration.ofNanos(1);
    private static final Duration COARSEST_TICK = Duration.ofSeconds(1);

    /** So much garbage is let lie, however few timers there are. */
    private static final int LITTLE_GARBAGE = 1024;

    /** Timers that one cancellation looks at when there is too much garbage: some, so that the sweep overtakes it. */
    private static final int SWEPT_BY_CANCEL = 2 * Chunk.CAPACITY;

    private Chunks<E> chunks = new Chunks<>();
    private final Level<E>[] levels = Level.lowest(LEVELS, chunks);
    private Sweep<E> sweep = new Sweep<>(levels);
    private final Timers timers = this::cancelled;
    private final int tickShift;

    /** Written by the owner, read by anyone. */
    private final AtomicLong cascades = new AtomicLong();

    private final AtomicLong cancelled = new AtomicLong();
    private final AtomicLong dropped = new AtomicLong();

    /** The current tick: all before it have been dealt with. Counts from 0 and may, after 2^64 ticks, start anew. */
    private long position;

    /** The time at which the current tick begins. */
    private long positionNanos;

    /** The latest time polled, and the tick that it lies in; the position gets there as work permits. */
    private long targetNanos;

    private long target;

    /**
     * The level whose current slot is being emptied. Above 0 that slot may hold timers still, left by a poll that
     * reached its limit. Until it is empty, timers for its range are put behind them, never overtaking on a lower
     * level.
     */
    private int emptying;

    /**
     * The next slot that holds timers after the current one, as level * 256 + number of the slot in it, or {@link
     * #NONE}; and the tick at which it begins. May be a slot that a sweep has emptied.
     */
    private int next = NONE;

    private long nextTick;
    private boolean polling;

    /** Whether a large slot waits to be split, and the time at which that is to begin or to go on. */
    private boolean splits;

    private long splitNanos;

    /**
     * Creates an empty wheel.
     *
     * @param startNanos the present time, on the clock of all later deadlines and polls
     * @param tick length of a tick, from 1 ns to 1 s; rounded down to a power of two nanoseconds
     * @throws IllegalArgumentException if the tick is out of that range
     */
    public HierarchicalWheel(long startNanos, Duration tick) {
        this.tickShift =
                Long.SIZE - 1 - Long.numberOfLeadingZeros(checkTick(tick).toNanos());
        this.positionNanos = startNanos;
        this.targetNanos = startNanos;
    }

    static Duration checkTick(Duration tick) {
        if (tick.compareTo(FINEST_TICK) < 0 || tick.compareTo(COARSEST_TICK) > 0) {
            throw new IllegalArgumentException(
                    "Invalid tick (%s): a tick must be from %s to %s, and fine ones cost little, so try the default %s"
                            .formatted(tick, FINEST_TICK, COARSEST_TICK, TimingWheel.DEFAULT_TICK));
        }
        return tick;
    }

    /**
     * Adds a timer.
     *
     * @param element what the poll will hand out
     * @param deadlineNanos the time before which it must not; if it has passed, the next poll hands it out
     * @return the handle of the timer
     */
    public Timeout<E> schedule(E element, long deadlineNanos) {
        Objects.requireNonNull(element, "element");
        long tick = tickToJoin(deadlineNanos);
        Entry<E> entry = new Entry<>(timers, element, tick);
        place(entry, tick, emptying);
        return entry;
    }

    /**
     * Advances the time and hands out due timers, until the limit is reached. If the consumer throws, its timer has
     * been handed out, and all others wait for the next poll.
     *
     * @param nowNanos the present time
     * @param limit maximum number of timers to touch, to fire or to move down; at least 1
     * @param due gets the elements of timers that are due, in order
     * @return nanoseconds from {@code nowNanos} until the next poll has something to do: 0 if the limit was reached
     *     and work is left, {@link Long#MAX_VALUE} if the wheel is empty. The next timer is not due before.
     * @throws IllegalArgumentException if the limit is not positive
     */
    public long poll(long nowNanos, int limit, Consumer<? super E> due) {
        Objects.requireNonNull(due, "due");
        if (limit < 1) {
            throw new IllegalArgumentException(
                    "Invalid limit (%d timers): a poll must be allowed to touch 1 timer or more".formatted(limit));
        }
        int left = fireDue(nowNanos, limit, due);
        if (left > 0) {
            splitLargeSlots(nowNanos, left);
        }
        return nanosToNext(nowNanos);
    }

    /**
     * Advances the time and hands out due timers, until the limit is reached.
     *
     * @return how much of the limit is left; 0 if more timers may be due
     */
    int fireDue(long nowNanos, int limit, Consumer<? super E> due) {
        moveOn(nowNanos);
        polling = true;
        try {
            int left = limit;
            Chunk<E> chunk = moveToDueChunk();
            while (chunk != null && left > 0) {
                if (emptying == 0) {
                    left -= fire(chunk, left, due);
                } else if (isLoneAndDue(chunk)) {
                    left--;
                    fireLone(chunk, due);
                } else {
                    left -= cascade(chunk, left);
                }
                chunk = moveToDueChunk();
            }
            return left;
        } finally {
            polling = false;
        }
    }

    /** Moves timers down from large slots that are about to begin, until the limit is reached. */
    void splitLargeSlots(long nowNanos, int limit) {
        int left = limit;
        for (int number = 1; number < LEVELS && left > 0 && nanosToSplitAt(nowNanos) == 0; number++) {
            while (left > 0 && nanosToSplit(number) <= elapsedAt(nowNanos)) {
                left -= Math.max(1, splitNext(number, left));
            }
        }
    }

    /** Nanoseconds until a slot is to be split, of whichever level. */
    private long nanosToSplitAt(long nowNanos) {
        if (chunks.haveLargeSlotsChanged()) {
            long nanos = Long.MAX_VALUE;
            for (int number = 1; number < LEVELS; number++) {
                nanos = Math.min(nanos, nanosToSplit(number));
            }
            splits = nanos < Long.MAX_VALUE;
            splitNanos = positionNanos + nanos;
        }
        return splits ? Math.max(0, splitNanos - positionNanos - elapsedAt(nowNanos)) : Long.MAX_VALUE;
    }

    private int splitNext(int number, int most) {
        Level<E> level = levels[number];
        int slotNumber = nextLarge(level);
        Chunk<E> chunk = Objects.requireNonNull(level.first(slotNumber), "a large slot has chunks");
        int count = level.split(slotNumber, level.startOf(slotNumber, position), chunk, most);
        cascades.setOpaque(cascades.getPlain() + count);
        removeIfEmpty(chunk, level, slotNumber);
        return count;
    }

    private int nextLarge(Level<E> level) {
        return level.nextLarge(level.slotNumber(position) + 1);
    }

    /** Nanoseconds from the start of the current tick until a slot of this level is to be split. */
    private long nanosToSplit(int number) {
        Level<E> level = levels[number];
        int slotNumber = nextLarge(level);
        return slotNumber == NONE
                ? Long.MAX_VALUE
                : Math.max(0, nanosTo(level.startOf(slotNumber, position)) - level.splitLeadNanos(slotNumber));
    }

    /**
     * Tells how long the owner may sleep.
     *
     * @param nowNanos the present time
     * @return nanoseconds from {@code nowNanos} until the next poll has something to do: 0 if it has already,
     *     {@link Long#MAX_VALUE} if the wheel is empty. The next timer is not due before.
     */
    public long nanosToNext(long nowNanos) {
        if (currentChunk() != null) {
            return 0;
        }
        if (next == NONE) {
            return Long.MAX_VALUE;
        }
        long nanos = nanosTo(dueTickOfNext());
        return Math.min(Math.max(0, nanos - elapsedAt(nowNanos)), nanosToSplitAt(nowNanos));
    }

    private long elapsedAt(long nowNanos) {
        return Math.max(0, nowNanos - positionNanos);
    }

    private long dueTickOfNext() {
        return levels[next / Level.SLOTS].dueTick(next % Level.SLOTS, nextTick);
    }

    /** The number of timers that wait. */
    public int size() {
        return lying() - (int) (cancelled.getOpaque() - dropped.getOpaque());
    }

    /**
     * How full each of the eight levels is, from the finest to the coarsest. Cancelled timers count until swept out.
     */
    public List<LevelOccupancy> levels() {
        Duration tick = Duration.ofNanos(tickNanos());
        return IntStream.range(0, LEVELS)
                .mapToObj(level -> new LevelOccupancy(
                        level, tick.multipliedBy(1L << (level * Level.BITS)), levels[level].timers()))
                .toList();
    }

    /** How often a timer has moved to a lower level since the wheel was made. */
    public long cascades() {
        return cascades.getOpaque();
    }

    /** Length of a tick in nanoseconds: a power of two. */
    public long tickNanos() {
        return 1L << tickShift;
    }

    @Override
    public String toString() {
        return "HierarchicalWheel[tick=%d ns, timers=%d]".formatted(tickNanos(), size());
    }

    private void cancelled() {
        cancelled.setOpaque(cancelled.getPlain() + 1);
        if (!polling && isTooMuchGarbage(cancelled.getPlain() - dropped.getPlain())) {
            sweep(SWEPT_BY_CANCEL);
        }
    }

    /** Timers that lie in slots, cancelled ones included. */
    int lying() {
        int lying = 0;
        for (Level<E> level : levels) {
            lying += level.timers();
        }
        return lying;
    }

    /** How many cancelled timers the wheel has come across, here or there, and let go of. */
    long dropped() {
        return dropped.getOpaque();
    }

    /** Tells whether so many cancelled timers among those that lie here are worth a sweep. */
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
        drop(sweep.takeDropped());
        findNext();
        return more;
    }

    private void drop(int count) {
        dropped.setOpaque(dropped.getPlain() + count);
    }

    /** Adds a timer that was made elsewhere. */
    void add(Entry<E> entry, long tick) {
        if (entry.isPending()) {
            place(entry, atLeastPosition(tick), emptying);
        } else {
            drop(1);
        }
    }

    /** The tick that a time lies in, which is the present one if the time is earlier. */
    Moment momentAt(long nowNanos) {
        long ticks = Math.max(0, nowNanos - positionNanos) >>> tickShift;
        return new Moment(position + ticks, positionNanos + (ticks << tickShift), tickShift);
    }

    /** When the present tick began: what fires is due since then. */
    long tickStartNanos() {
        return positionNanos;
    }

    /**
     * Takes note of the time, and moves there if that takes no work, so that new timers are placed as low as can be.
     */
    void moveOn(long nowNanos) {
        if (nowNanos - targetNanos > 0) {
            targetNanos = nowNanos;
            target = position + ((nowNanos - positionNanos) >>> tickShift);
        }
        if (currentChunk() == null && !isNextReached()) {
            moveTo(target);
        }
    }

    private int fire(Chunk<E> chunk, int most, Consumer<? super E> due) {
        Level<E> level = levels[0];
        int count = Math.min(most, chunk.size());
        // Looks at all before it takes any: loads that miss the cache overlap, the atomic steps then hit it.
        if (chunk.pending(count) == 0) {
            chunk.removeFirst(count);
            level.removed(count);
            drop(count);
        } else {
            for (int i = 0; i < count; i++) {
                E element = end(chunk.removeFirst());
                level.removed(1);
                if (element != null) {
                    due.accept(element);
                }
            }
        }
        removeIfEmpty(chunk, level, level.slotNumber(position));
        return count;
    }

    /** Whether a timer of the slot that has begun is the only one of that slot, and due. */
    private boolean isLoneAndDue(Chunk<E> chunk) {
        if (!chunk.isLone() || chunk.firstTick(position) - target > 0) {
            return false;
        }
        for (int number = 0; number < emptying; number++) {
            if (levels[number].timers() > 0) {
                return false;
            }
        }
        return true;
    }

    /**
     * Saves a lone timer its cascades, which would cost more than everything else. Before the consumer sees the timer,
     * the state is as after the cascades: the slot is empty, and the time is at the timer's tick.
     */
    private void fireLone(Chunk<E> chunk, Consumer<? super E> due) {
        Level<E> level = levels[emptying];
        long tick = chunk.firstTick(position);
        E element = end(chunk.removeFirst());
        level.removed(1);
        removeIfEmpty(chunk, level, level.slotNumber(position));
        moveTo(tick);
        if (element != null) {
            due.accept(element);
        }
    }

    private int cascade(Chunk<E> chunk, int most) {
        Level<E> level = levels[emptying];
        int count = Math.min(most, chunk.size());
        // On its way to level 0 a timer is about to fire: if it has not ended, it is in the cache by then.
        if (emptying == 1 && chunk.pending(count) == 0) {
            chunk.removeFirst(count);
            drop(count);
        } else {
            for (int i = 0; i < count; i++) {
                long tick = chunk.firstTick(position);
                place(chunk.removeFirst(), tick, 0);
            }
            cascades.setOpaque(cascades.getPlain() + count);
        }
        level.removed(count);
        removeIfEmpty(chunk, level, level.slotNumber(position));
        return count;
    }

    private void removeIfEmpty(Chunk<E> chunk, Level<E> level, int slotNumber) {
        if (chunk.isEmpty()) {
            sweep.leave(chunk);
            level.removeFirst(slotNumber, chunk);
        }
    }

    /**
     * Ends all timers and leaves the wheel empty. A firing timer may call this.
     *
     * @return the payloads of the pending timers, in no particular order
     */
    List<E> endAll() {
        List<E> ended = new ArrayList<>();
        for (Level<E> level : levels) {
            level.endAll(ended);
        }
        // A poll under way may still use the old levels, and finds nothing more there.
        chunks = new Chunks<>();
        System.arraycopy(Level.lowest(LEVELS, chunks), 0, levels, 0, LEVELS);
        sweep = new Sweep<>(levels);
        cancelled.setOpaque(dropped.getPlain());
        next = NONE;
        return ended;
    }

    /** What the timer carried, {@code null} if it was cancelled. */
    private @Nullable E end(Entry<E> entry) {
        E element = entry.task();
        if (element != null && entry.take(element)) {
            return element;
        }
        drop(1);
        return null;
    }

    private void place(Entry<E> entry, long tick, int lowestLevel) {
        int number = Math.max(lowestLevel, Level.highestDigit(tick ^ position));
        Level<E> level = levels[number];
        int slotNumber = level.slotNumber(tick);
        level.add(slotNumber, entry, tick);
        if (next == NONE || tick - nextTick < 0) {
            setNext(number, slotNumber);
        }
    }

    /** A tick that is over is due now. */
    private long atLeastPosition(long tick) {
        return tick - position > 0 ? tick : position;
    }

    /**
     * The tick of a new timer: the first to begin at or after its deadline. If the deadline has passed, it need not
     * wait for the tick that has begun to end.
     */
    private long tickToJoin(long deadlineNanos) {
        if (deadlineNanos - targetNanos > 0) {
            return tickAfter(deadlineNanos - positionNanos);
        }
        long tick = tickAfter(Math.max(0, deadlineNanos - positionNanos));
        return tick - target > 0 ? target : tick;
    }

    /** The first tick to begin at or after so many nanoseconds, unsigned, from the start of the current one. */
    private long tickAfter(long nanos) {
        return position + ((nanos + tickNanos() - 1) >>> tickShift);
    }

    /** Moves to the first slot that holds timers and is not after the target, else to the target. */
    private @Nullable Chunk<E> moveToDueChunk() {
        Chunk<E> current = currentChunk();
        while (current == null && isNextReached()) {
            begin(next / Level.SLOTS, next % Level.SLOTS);
            current = currentChunk();
            findNext();
        }
        if (current == null) {
            moveTo(target);
        }
        return current;
    }

    private void begin(int number, int slotNumber) {
        moveTo(nextTick);
        emptying = number;
        if (number > 0) {
            Split<E> split = levels[number].takeSplit(slotNumber);
            if (split != null) {
                split.replace(levels);
            }
            if (splits) {
                chunks.changeLargeSlots();
            }
        }
    }

    private @Nullable Chunk<E> currentChunk() {
        Level<E> level = levels[emptying];
        return level.first(level.slotNumber(position));
    }

    private boolean isNextReached() {
        return next != NONE && nextTick - target <= 0;
    }

    private void findNext() {
        for (int number = 0; number < LEVELS; number++) {
            Level<E> level = levels[number];
            if (level.timers() > 0) {
                int current = level.slotNumber(position);
                int slotNumber = level.nextOccupied(number < emptying ? current : current + 1);
                if (slotNumber == NONE && number == LEVELS - 1) {
                    slotNumber = level.nextOccupied(0); // where ticks start anew
                }
                if (slotNumber != NONE) {
                    setNext(number, slotNumber);
                    return;
                }
            }
        }
        next = NONE;
    }

    private void setNext(int number, int slotNumber) {
        next = number * Level.SLOTS + slotNumber;
        nextTick = levels[number].startOf(slotNumber, position);
    }

    private void moveTo(long tick) {
        positionNanos += (tick - position) << tickShift;
        position = tick;
        emptying = 0;
    }

    /** Nanoseconds from the start of the current tick to that of a later one, or as many as a long can say. */
    private long nanosTo(long tick) {
        return Math.min(tick - position, Long.MAX_VALUE >> tickShift) << tickShift;
    }
}
