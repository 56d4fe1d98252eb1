package io.delayjob.wheel;

import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import java.util.concurrent.RejectedExecutionException;
import java.util.concurrent.ThreadFactory;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicLong;
import java.util.concurrent.atomic.AtomicReferenceFieldUpdater;
import java.util.concurrent.locks.LockSupport;
import java.util.concurrent.locks.ReentrantLock;
import java.util.function.Consumer;
import java.util.function.LongSupplier;
import org.jspecify.annotations.Nullable;

/**
 * Runs short tasks at their time, any number of them, never early and usually within a tick. All timers live in one
 * {@link HierarchicalWheel}, which one thread polls; any thread may schedule and cancel.
 *
 * <p>There are two ways to drive it, through the same code:
 *
 * <pre>{@code
 * // (a) by a daemon thread of its own, which sleeps until the next occupied slot
 * TimingWheel wheel = TimingWheel.builder(System::nanoTime).start();
 * Timeout<Runnable> timeout = wheel.schedule(connection::ping, Duration.ofSeconds(30));
 *
 * // (b) by its owner, for example in virtual time, with no thread to wake
 * TimingWheel wheel = TimingWheel.builder(clock::nanos).tick(Duration.ofNanos(1)).polledByOwner(() -> {});
 * wheel.schedule(connection::ping, Duration.ofSeconds(30));
 * clock.advance(Duration.ofSeconds(30));
 * wheel.poll();
 * }</pre>
 *
 * <h2>How the threads meet</h2>
 *
 * <pre>
 *   any thread                                the polling thread
 *
 *   schedule:  tell the tick, push → [ inbox ] → take all, put into slots → HierarchicalWheel
 *   cancel:    swap the task out, count                                        │
 *                                                due: swap the task out, run it; sweep the cancelled
 *   wake the poller, if it rests too long        publish the end of the rest, look at the inbox again, rest
 * </pre>
 *
 * <ol>
 *   <li><em>The task decides.</em> Its timer holds it in one field. Whoever swaps it out, in one atomic step, ends the
 *       timer: to run it, to cancel it, or to close the wheel. So every timer ends exactly once, and the task of a
 *       cancelled one is free at once.
 *   <li><em>Slots belong to the poll.</em> Other threads only push onto the inbox, by one fetch-and-add. A cancelled
 *   timer stays where it lies, an empty object of 24 bytes; every 16,384 cancellations call for a poll, which sweeps
 *   such out, bit by bit between the timers that are due, when more than half of all are.
 *   <li><em>No wake-up is lost.</em> A poll ends by publishing until when it rests, and then looks at the inbox once
 *   more. Who schedules pushes, and then reads the end of the rest. One of the two sees the other. The one who finds
 *   the rest too long marks it as ended and wakes the poller; everyone after that sees the mark and need not.
 * </ol>
 *
 * <h2>What it costs</h2>
 *
 * To schedule: an object of 24 bytes, an atomic step and no lock, whatever the number of timers; to cancel: two atomic
 * steps. If the number of timers is bounded, both take one more step.
 *
 * <p>While nothing comes due, the thread sleeps: with an empty wheel for ever, otherwise until the next timer is due or
 * many have to move down. A poll fires due timers. Then it moves down or sweeps out at most 1,024 timers, which takes
 * some tenths of a millisecond, before it looks at the clock again. After a poll that fired 64 or more, the next one
 * comes a quarter of a millisecond later. Timers that come due meanwhile are late by no more than that.
 *
 * <p>Tasks run on the polling thread, one after the other: one that takes long delays all others, so hand real work to
 * an executor.
 */
public final class TimingWheel implements AutoCloseable {

    /**
     * The default tick: 2<sup>13</sup> ns, about 8 microseconds. Empty ticks cost nothing, so it need not be coarse.
     */
    public static final Duration DEFAULT_TICK = Duration.ofNanos(1 << 13);

    /** 146 years: half of what differences of nanoseconds can express, the other half is for a wheel polled late. */
    private static final long LONGEST_DELAY = 1L << 62;

    private static final Duration LONGEST_DELAY_DURATION = Duration.ofNanos(LONGEST_DELAY);

    /** Maximum number of timers that a step touches, and that a poll moves or sweeps in addition to the due ones. */
    private static final int BATCH = 1024;

    /**
     * After this many new timers or cancellations a poll is requested, however far away the timers are, so that they
     * do not pile up. It is not requested sooner: a timer cancelled before a poll has touched it costs no cache miss in
     * either thread.
     */
    private static final int HEAP = 16 * BATCH;

    /**
     * After a poll that fired this many, hundreds of thousands a second, the next one begins at least a stride later.
     * To wake up for each tick would cost more than the timers do.
     */
    private static final int CROWD = 64;

    private static final long STRIDE_NANOS = 1 << 18;

    /** Pause of the thread after a failure of the clock or of the JVM, before it polls again. */
    private static final long FAILURE_PAUSE_NANOS = Duration.ofMillis(100).toNanos();

    private static final AtomicReferenceFieldUpdater<TimingWheel, Rest> REST =
            AtomicReferenceFieldUpdater.newUpdater(TimingWheel.class, Rest.class, "rest");

    private final LongSupplier nanoTime;
    private final int maxTimers;
    private final Consumer<? super Throwable> failureHandler;
    private final Runnable wakeUp;

    /** Number of further timers that may be pending, if there is a bound. */
    private final AtomicInteger free;

    private final Timers timers = this::cancelled;
    private final AtomicLong cancelled = new AtomicLong();

    /** Written by the polling thread, read by anyone. */
    private final AtomicLong fired = new AtomicLong();

    private final AtomicLong lag = new AtomicLong();
    private volatile Rest rest;
    private volatile @Nullable Thread thread;
    private volatile boolean closed;

    /** Held during a poll; guards the wheel. */
    private final ReentrantLock polling = new ReentrantLock();

    private final HierarchicalWheel<Runnable> wheel;

    private final Inbox<Runnable> inbox = new Inbox<>();

    /** Timers that were due when the wheel was closed, and did not run. Guarded by {@link #polling}. */
    private final List<Runnable> unfired = new ArrayList<>();

    private TimingWheel(Builder builder, Runnable wakeUp) {
        this.nanoTime = builder.nanoTime;
        this.maxTimers = builder.maxTimers;
        this.failureHandler = builder.failureHandler;
        this.wakeUp = wakeUp;
        this.free = new AtomicInteger(maxTimers);
        long now = nanoTime.getAsLong();
        this.wheel = new HierarchicalWheel<>(now, builder.tick);
        this.rest = Rest.forEver(wheel.momentAt(now));
    }

    /**
     * Starts to build a wheel.
     *
     * @param nanoTime the clock: monotonic nanoseconds from any origin, such as {@link System#nanoTime()}; must be
     *     thread-safe
     */
    public static Builder builder(LongSupplier nanoTime) {
        return new Builder(nanoTime);
    }

    private void start(ThreadFactory threads) {
        Thread started = Objects.requireNonNull(
                threads.newThread(this::run), "The thread factory made no thread for the timing wheel");
        polling.lock(); // no poll before its own thread is known
        try {
            started.start();
            thread = started;
        } finally {
            polling.unlock();
        }
    }

    /**
     * Schedules a task.
     *
     * @param task what to run; must be short
     * @param delay when to run it, from now: as soon as possible if zero or negative; what is longer than 146 years is
     *     cut to that
     * @return the handle of the timer
     * @throws RejectedExecutionException if the wheel holds as many timers as it may, or is closed
     */
    public Timeout<Runnable> schedule(Runnable task, Duration delay) {
        return schedule(task, nanoTime(), nanosOf(delay));
    }

    /**
     * Schedules a task.
     *
     * @param task what to run; must be short
     * @param deadlineNanos when to run it, on the wheel's clock: as soon as possible if it passed at most 146 years
     *     ago. Any other value is in the future and is cut to 146 years, so {@link Long#MAX_VALUE} is far away on any
     *     clock
     * @return the handle of the timer
     * @throws RejectedExecutionException if the wheel holds as many timers as it may, or is closed
     */
    public Timeout<Runnable> scheduleAt(Runnable task, long deadlineNanos) {
        long now = nanoTime();
        return schedule(task, now, delayOf(deadlineNanos - now));
    }

    /**
     * Schedules a task again and again. Runs keep their distance from the first one, however long the task takes; runs
     * whose time has passed when the task returns are left out. An exception of the task goes to the failure handler,
     * and the timer goes on.
     *
     * @param task the task; must be short
     * @param first when to run it for the first time, from now: as soon as possible if zero or negative
     * @param period time from one run to the next, at least 1 ns; cut to 146 years
     * @return the handle of all runs: it is pending until it is cancelled or the wheel is closed, and may be
     *     cancelled by the task
     * @throws IllegalArgumentException if the period is not positive
     * @throws RejectedExecutionException if the wheel holds as many timers as it may, or is closed
     */
    public Timeout<Runnable> scheduleEvery(Runnable task, Duration first, Duration period) {
        Objects.requireNonNull(task, "task");
        if (period.isNegative() || period.isZero()) {
            throw new IllegalArgumentException(
                    "Invalid period (%s): the runs of a periodic timer must be 1 ns or more apart".formatted(period));
        }
        long now = nanoTime();
        long delay = nanosOf(first);
        Periodic periodic = new Periodic(this, task, now + delay, nanosOf(period));
        periodic.begin(schedule(periodic, now, delay));
        return periodic;
    }

    private Timeout<Runnable> schedule(Runnable task, long now, long delay) {
        Objects.requireNonNull(task, "task");
        if (closed) {
            throw rejectedAsClosed();
        }
        takePlace();
        Entry<Runnable> entry = push(task, now, delay);
        if (closed && entry.cancel()) {
            throw rejectedAsClosed();
        }
        // If the wheel was closed meanwhile and this was not cancelled here, stop() has answered it.
        return entry;
    }

    /** The next run of a periodic timer, which keeps its place; {@code null} if the wheel is closed. */
    @Nullable
    Timeout<Runnable> scheduleNext(Periodic periodic, long dueNanos) {
        long now = nanoTime();
        Entry<Runnable> entry = push(periodic, now, dueNanos - now);
        return closed && entry.cancel() ? null : entry;
    }

    private Entry<Runnable> push(Runnable task, long now, long delay) {
        Moment began = rest.began();
        long tick = delay > 0 ? began.tickAfter(now + delay) : began.tickAt(now);
        Entry<Runnable> entry = new Entry<>(timers, task, tick);
        long number = inbox.push(entry, tick);
        if (number % HEAP == 0 || rest.outlasts(tick)) {
            endRest();
        }
        return entry;
    }

    private static RejectedExecutionException rejectedAsClosed() {
        return new RejectedExecutionException("This timing wheel is closed: it takes no more timers");
    }

    private void takePlace() {
        if (maxTimers == Integer.MAX_VALUE) {
            return;
        }
        int places;
        do {
            places = free.get();
            if (places == 0) {
                throw new RejectedExecutionException(
                        "This timing wheel holds %d timers, as many as it may (maxTimers): raise the bound, or wait until some have fired"
                                .formatted(maxTimers));
            }
        } while (!free.compareAndSet(places, places - 1));
    }

    void freePlace() {
        if (maxTimers < Integer.MAX_VALUE) {
            free.incrementAndGet();
        }
    }

    long nanoTime() {
        return nanoTime.getAsLong();
    }

    private long ended() {
        return fired.getAcquire() + cancelled.get();
    }

    private void cancelled() {
        freePlace();
        if (cancelled.incrementAndGet() % HEAP == 0) {
            endRest();
        }
    }

    /**
     * Runs what is due at the time when the call begins, in order. Tasks scheduled meanwhile, by those tasks or by
     * other threads, are left to the next poll. Then it does some of the housekeeping, and leaves the rest to the next
     * poll, which looks at the clock again.
     *
     * @return nanoseconds until the next poll has something to do: 0 if it has already, {@link Long#MAX_VALUE} if
     *     nothing is scheduled or the wheel is closed. When an earlier timer is scheduled, the owner is woken.
     * @throws IllegalStateException if the wheel has a thread of its own, or the call comes from a task
     */
    public long poll() {
        Thread owner = thread;
        if (owner != null && owner != Thread.currentThread()) {
            throw new IllegalStateException(
                    "This timing wheel is polled by its own thread, %s: leave it to that".formatted(owner.getName()));
        }
        if (polling.isHeldByCurrentThread()) {
            throw new IllegalStateException("A task of a timing wheel must not poll it: schedule another task instead");
        }
        polling.lock();
        try {
            long now = nanoTime();
            rest = Rest.over(wheel.momentAt(now));
            wheel.moveOn(now);
            takeArrivals();
            int left;
            do {
                left = wheel.fireDue(now, BATCH, task -> fire(task, now));
            } while (left == 0 && !closed);
            boolean sweeping = wheel.isTooMuchGarbage(cancelled.get() - wheel.dropped()) && wheel.sweep(BATCH);
            wheel.splitLargeSlots(now, BATCH);
            return rest(now, sweeping ? 0 : wheel.nanosToNext(now));
        } finally {
            polling.unlock();
        }
    }

    private boolean takeArrivals() {
        return inbox.take(wheel::add);
    }

    /** Waits for those that are just being pushed, too. */
    private void takeAllArrivals() {
        while (!takeArrivals()) {
            Thread.onSpinWait();
        }
    }

    private void fire(Runnable task, long now) {
        fired.setRelease(fired.getPlain() + 1);
        if (!(task instanceof Periodic)) {
            freePlace();
        }
        if (closed) {
            unfired.add(task);
            return;
        }
        lag.setOpaque(now - wheel.tickStartNanos());
        try {
            task.run();
        } catch (Throwable failure) {
            report(failure);
        }
    }

    private long rest(long now, long wait) {
        if (closed) {
            return Long.MAX_VALUE;
        }
        Moment began = rest.began();
        rest = wait == Long.MAX_VALUE ? Rest.forEver(began) : Rest.until(began, began.tickAt(now + wait));
        if (inbox.hasMore()) {
            rest = Rest.over(began);
            return 0;
        }
        return wait == Long.MAX_VALUE ? wait : Math.max(0, wait - (nanoTime() - now));
    }

    private void endRest() {
        Rest seen = rest;
        if (!seen.isOver() && REST.compareAndSet(this, seen, Rest.over(seen.began()))) {
            wake();
        }
    }

    private void wake() {
        Thread sleeper = thread;
        if (sleeper != null) {
            LockSupport.unpark(sleeper);
            return;
        }
        try {
            wakeUp.run();
        } catch (Throwable failure) {
            report(failure);
        }
    }

    private void run() {
        while (!closed) {
            try {
                pollAndRest();
            } catch (Throwable failure) {
                // The clock has failed, or the JVM: the timers are still there, and may fire later.
                report(failure);
                LockSupport.parkNanos(this, FAILURE_PAUSE_NANOS);
            }
        }
    }

    private void pollAndRest() {
        long began = nanoTime();
        long before = fired.getPlain();
        long wait = poll();
        Thread.interrupted(); // a task may have left the flag set, and the thread could not sleep
        if (fired.getPlain() - before >= CROWD) {
            wait = Math.max(wait, began + STRIDE_NANOS - nanoTime());
        }
        if (closed || wait <= 0) {
            return;
        }
        if (wait == Long.MAX_VALUE) {
            LockSupport.park(this);
        } else {
            LockSupport.parkNanos(this, wait);
        }
    }

    private void report(Throwable failure) {
        try {
            failureHandler.accept(failure);
        } catch (Throwable ignored) {
            // As the JVM does with what an uncaught exception handler throws: there is nobody left to tell.
        }
    }

    /** The number of timers that have neither fired nor been cancelled. */
    public int size() {
        return (int) Math.max(0, inbox.pushed() - ended());
    }

    /**
     * How full each of the eight levels is, from the finest to the coarsest. Timers scheduled since the last poll are
     * not accounted for, those cancelled count until they are swept out.
     */
    public List<LevelOccupancy> levels() {
        return wheel.levels();
    }

    /** How often a timer has moved to a lower level since the wheel was built. */
    public long cascades() {
        return wheel.cascades();
    }

    /** Nanoseconds by which the timer that fired last was late, when its poll began; 0 if none has fired yet. */
    public long lagNanos() {
        return lag.getOpaque();
    }

    /**
     * Cancels all timers, refuses new ones, ends the thread, and returns the pending tasks. When the call returns, no
     * task runs and none will, except a task that made the call. Each scheduled timer has then run, was cancelled, or
     * is in this answer. A second call has no effect.
     *
     * @return the tasks of all pending timers, those of periodic ones once, in no particular order
     */
    public List<Runnable> stop() {
        closed = true;
        Thread sleeper = thread;
        if (sleeper != null) {
            LockSupport.unpark(sleeper);
        }
        polling.lock();
        try {
            takeAllArrivals();
            List<Runnable> pending = wheel.endAll();
            cancelled.addAndGet(pending.size());
            pending.addAll(unfired);
            unfired.clear();
            return tasksOf(pending);
        } finally {
            polling.unlock();
        }
    }

    private static List<Runnable> tasksOf(List<Runnable> pending) {
        List<Runnable> tasks = new ArrayList<>();
        for (Runnable waiting : pending) {
            Runnable task = waiting instanceof Periodic periodic ? periodic.end() : waiting;
            if (task != null) {
                tasks.add(task);
            }
        }
        return tasks;
    }

    /** {@linkplain #stop() Stops} the wheel without returning the pending tasks. */
    @Override
    public void close() {
        stop();
    }

    @Override
    public String toString() {
        return "TimingWheel[tick=%d ns, timers=%d, %s]"
                .formatted(wheel.tickNanos(), size(), closed ? "closed" : "open");
    }

    private static long nanosOf(Duration delay) {
        if (delay.isNegative()) {
            return 0;
        }
        return delay.compareTo(LONGEST_DELAY_DURATION) < 0 ? delay.toNanos() : LONGEST_DELAY;
    }

    /** A time more than 146 years ago is a time far ahead whose difference from now has overflowed. */
    private static long delayOf(long difference) {
        return difference < -LONGEST_DELAY ? LONGEST_DELAY : Math.min(difference, LONGEST_DELAY);
    }

    /** Builds a {@link TimingWheel}. Not thread-safe. */
    public static final class Builder {

        private final LongSupplier nanoTime;
        private Duration tick = DEFAULT_TICK;
        private int maxTimers = Integer.MAX_VALUE;
        private Consumer<? super Throwable> failureHandler = Builder::tellThread;

        private Builder(LongSupplier nanoTime) {
            this.nanoTime = Objects.requireNonNull(nanoTime, "nanoTime");
        }

        /**
         * How late a timer may be by the wheel's doing: a deadline is rounded up to the next tick. A fine tick costs
         * little; in virtual time 1 ns makes timers exact. (Crowds may be later, where a thread of its own polls.)
         *
         * @param tick from 1 ns to 1 s, default {@link #DEFAULT_TICK}; rounded down to a power of two nanoseconds
         * @throws IllegalArgumentException if it is out of that range
         */
        public Builder tick(Duration tick) {
            this.tick = HierarchicalWheel.checkTick(tick);
            return this;
        }

        /**
         * How many timers may be pending; more are refused.
         *
         * @param maxTimers at least 1, default {@link Integer#MAX_VALUE}
         * @throws IllegalArgumentException if it is not positive
         */
        public Builder maxTimers(int maxTimers) {
            if (maxTimers < 1) {
                throw new IllegalArgumentException(
                        "Invalid maxTimers (%d timers): a timing wheel must be allowed to hold 1 timer or more"
                                .formatted(maxTimers));
            }
            this.maxTimers = maxTimers;
            return this;
        }

        /**
         * Gets what tasks throw; the wheel goes on. By default it goes to the polling thread's
         * {@link Thread.UncaughtExceptionHandler}, without ending the thread. What the handler throws is dropped.
         */
        public Builder failureHandler(Consumer<? super Throwable> failureHandler) {
            this.failureHandler = Objects.requireNonNull(failureHandler, "failureHandler");
            return this;
        }

        /**
         * Builds the wheel and starts a daemon thread named {@code timing-wheel}, which polls it until it is closed.
         */
        public TimingWheel start() {
            return start(new WheelThreadFactory());
        }

        /**
         * Builds the wheel and starts a thread that polls it until it is closed. If the clock throws, or the JVM throws
         * an {@link Error}, the failure handler gets it, and the thread polls again after a tenth of a second.
         *
         * @param threads creates the thread, with a name and daemon status of the caller's choice
         */
        public TimingWheel start(ThreadFactory threads) {
            Objects.requireNonNull(threads, "threads");
            TimingWheel wheel = new TimingWheel(this, () -> {});
            wheel.start(threads);
            return wheel;
        }

        /**
         * Builds a wheel without a thread. Its owner polls it; until then its timers wait.
         *
         * @param wakeUp called if a poll is needed before the time that the last one returned, at most once until the
         *     next poll begins. The thread that schedules or cancels calls it, so it must be short. Before the first
         *     poll, the first timer calls it.
         */
        public TimingWheel polledByOwner(Runnable wakeUp) {
            return new TimingWheel(this, Objects.requireNonNull(wakeUp, "wakeUp"));
        }

        private static void tellThread(Throwable failure) {
            Thread thread = Thread.currentThread();
            thread.getUncaughtExceptionHandler().uncaughtException(thread, failure);
        }
    }
}
