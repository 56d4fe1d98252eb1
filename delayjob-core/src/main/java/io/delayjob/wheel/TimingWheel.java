package io.delayjob.wheel;

import java.time.Duration;
import java.util.List;
import java.util.Objects;
import java.util.concurrent.RejectedExecutionException;
import java.util.concurrent.ThreadFactory;
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
 * // (a) by a thread of its own, which sleeps until the next occupied slot
 * TimingWheel wheel = TimingWheel.builder(System::nanoTime).build();
 * wheel.start(Thread::new);
 * Timeout timeout = wheel.schedule(connection::ping, Duration.ofSeconds(30));
 *
 * // (b) by its owner, in virtual time for example
 * TimingWheel wheel = TimingWheel.builder(clock::nanos).tick(Duration.ofNanos(1)).build();
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
 * steps. While nothing comes due, the thread sleeps: an empty wheel for ever, and one with timers until the next is
 * due, or many have to cascade. After a poll that fired 64 or more, as when hundreds of thousands come due in a second, it
 * polls again a quarter of a millisecond later, and those that come due meanwhile are late by no more than that.
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

    /** How many timers a poll touches before it looks around. */
    private static final int BATCH = 1024;

    /**
     * After so many new timers, or cancellations, a poll is called for, however far away they are, lest they be a great
     * heap some day. No sooner: a timer that is cancelled before a poll has touched it costs neither thread a cache
     * miss.
     */
    private static final int HEAP = 16 * BATCH;

    /**
     * After a poll that fired so many, hundreds of thousands a second, the next one begins a stride later at the soonest:
     * to wake up for each tick would cost more than the timers do.
     */
    private static final int CROWD = 64;

    private static final long STRIDE_NANOS = 1 << 18;

    /** For so long an inbox is used: the other half of what is near is for the poll that comes late. */
    private static final long INBOX_TICKS = Entry.NEAR / 2;

    private static final AtomicReferenceFieldUpdater<TimingWheel, Rest> REST =
            AtomicReferenceFieldUpdater.newUpdater(TimingWheel.class, Rest.class, "rest");

    private final LongSupplier nanoTime;
    private final int maxTimers;
    private final Consumer<? super Throwable> failureHandler;
    private final Runnable wakeUp;

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

    private TimingWheel(Builder builder) {
        this.nanoTime = builder.nanoTime;
        this.maxTimers = builder.maxTimers;
        this.failureHandler = builder.failureHandler;
        this.wakeUp = builder.wakeUp;
        long now = nanoTime.getAsLong();
        this.wheel = new HierarchicalWheel<>(now, builder.tick);
        Moment start = wheel.momentAt(now);
        this.rest = Rest.forEver(start, new Inbox<>(start.tick()));
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

    /**
     * Starts a thread that polls until the wheel is closed.
     *
     * @param threads makes the thread, whose name and daemon status are thereby the caller's choice
     * @throws IllegalStateException if the wheel was started before or is closed
     */
    public void start(ThreadFactory threads) {
        Objects.requireNonNull(threads, "threads");
        polling.lock();
        try {
            if (closed || thread != null) {
                throw new IllegalStateException(
                        "This timing wheel is " + (closed ? "closed" : "running already") + ": build a new one");
            }
            Thread started = Objects.requireNonNull(
                    threads.newThread(this::run), "The thread factory made no thread for the timing wheel");
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
    public Timeout schedule(Runnable task, Duration delay) {
        return schedule(task, nanoTime.getAsLong(), nanosOf(delay));
    }

    /**
     * Schedules a task.
     *
     * @param task what to run; must be short
     * @param deadlineNanos when to run it, on the wheel's clock: as soon as possible if that has passed; what is
     *     further away than 146 years is cut to that
     * @return the handle of the timer
     * @throws RejectedExecutionException if the wheel holds as many timers as it may, or is closed
     */
    public Timeout scheduleAt(Runnable task, long deadlineNanos) {
        long now = nanoTime.getAsLong();
        return schedule(task, now, Math.min(deadlineNanos - now, LONGEST_DELAY));
    }

    private Timeout schedule(Runnable task, long now, long delay) {
        Objects.requireNonNull(task, "task");
        if (closed) {
            throw new RejectedExecutionException("This timing wheel is closed: it takes no more timers");
        }
        while (true) {
            Rest seen = rest;
            long tick = delay > 0 ? seen.began.tickAfter(now + delay) : seen.began.tickAt(now);
            Entry<Runnable> entry = Entry.of(timers, task, tick, seen.inbox.openedAtTick());
            long number = seen.inbox.push(entry);
            if (number != Inbox.CLOSED) {
                admit(entry, number);
                callForPoll(entry, tick);
                return entry;
            }
            Thread.onSpinWait(); // another inbox is just being opened
        }
    }

    private void callForPoll(Entry<Runnable> entry, long tick) {
        if (closed) {
            entry.cancel(); // the close may have looked at the inbox before
        } else if (rest.outlasts(tick)) {
            endRest();
        }
    }

    /** Numbers are unique, so of timers that race for the last place one gets it. */
    private void admit(Entry<Runnable> entry, long number) {
        if (maxTimers < Integer.MAX_VALUE && number - ended() > maxTimers && entry.cancel()) {
            throw new RejectedExecutionException(
                    "This timing wheel holds %d timers, as many as it may (maxTimers): raise the bound, or wait until some have fired"
                            .formatted(maxTimers));
        }
        if (number % HEAP == 0) {
            endRest();
        }
    }

    private long ended() {
        return fired.getAcquire() + cancelled.get();
    }

    private void cancelled() {
        if (cancelled.incrementAndGet() % HEAP == 0) {
            endRest();
        }
    }

    /**
     * Runs what is due at the time when the call begins, in order. Tasks scheduled meanwhile, by those tasks or by
     * other threads, are left to the next poll.
     *
     * @return nanoseconds until the next poll has something to do: 0 if it has already, {@link Long#MAX_VALUE} if
     *     nothing is scheduled or the wheel is closed. When an earlier timer is scheduled, {@link Builder#wakeUp} is
     *     called.
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
            long now = nanoTime.getAsLong();
            Moment moment = wheel.momentAt(now);
            Inbox<Runnable> inbox = rest.inbox;
            if (moment.tick() - inbox.openedAtTick() < INBOX_TICKS) {
                rest = Rest.over(moment, inbox);
                wheel.moveOn(now);
                takeArrivals(inbox);
            } else {
                Inbox<Runnable> opened = inbox.close(moment.tick());
                rest = Rest.over(moment, opened);
                wheel.moveOn(now);
                takeAllArrivals(inbox);
            }
            boolean sweeping;
            long wait;
            do {
                sweeping = wheel.isTooMuchGarbage(cancelled.get() - wheel.dropped()) && wheel.sweep(BATCH);
                wait = wheel.poll(now, BATCH, task -> fire(task, now));
            } while ((wait == 0 || sweeping) && !closed);
            return rest(now, wait);
        } finally {
            if (closed) {
                cancelAll();
            }
            polling.unlock();
        }
    }

    private boolean takeArrivals(Inbox<Runnable> inbox) {
        return inbox.take(entry -> wheel.add(entry, entry.tick(inbox.openedAtTick())));
    }

    /** Waits for those that are just being pushed, too. */
    private void takeAllArrivals(Inbox<Runnable> inbox) {
        while (!takeArrivals(inbox)) {
            Thread.onSpinWait();
        }
    }

    private void fire(Runnable task, long now) {
        fired.setRelease(fired.getPlain() + 1);
        if (closed) {
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
        Moment began = rest.began;
        Inbox<Runnable> inbox = rest.inbox;
        rest = wait == Long.MAX_VALUE ? Rest.forEver(began, inbox) : Rest.until(began, inbox, began.tickAt(now + wait));
        if (inbox.hasMore()) {
            rest = Rest.over(began, inbox);
            return 0;
        }
        return wait == Long.MAX_VALUE ? wait : Math.max(0, wait - (nanoTime.getAsLong() - now));
    }

    private void endRest() {
        Rest seen = rest;
        if (!seen.isOver && REST.compareAndSet(this, seen, Rest.over(seen.began, seen.inbox))) {
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
            long began = nanoTime.getAsLong();
            long before = fired.getPlain();
            long wait = poll();
            Thread.interrupted(); // a task may have left it set, and it would keep the thread from sleeping
            if (fired.getPlain() - before >= CROWD) {
                wait = Math.max(wait, began + STRIDE_NANOS - nanoTime.getAsLong());
            }
            if (closed || wait <= 0) {
                continue;
            }
            if (wait == Long.MAX_VALUE) {
                LockSupport.park(this);
            } else {
                LockSupport.parkNanos(this, wait);
            }
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
        return (int) Math.max(0, rest.inbox.pushed() - ended());
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
     * Cancels all timers, refuses new ones and ends the thread. When the call returns, no task is running and none
     * will; unless it was made by a task, which is then the last. May be called again, to no effect.
     */
    @Override
    public void close() {
        closed = true;
        Thread sleeper = thread;
        if (sleeper != null) {
            LockSupport.unpark(sleeper);
        }
        if (polling.isHeldByCurrentThread()) {
            return; // the poll that this task runs in does the rest
        }
        polling.lock();
        try {
            cancelAll();
        } finally {
            polling.unlock();
        }
    }

    private void cancelAll() {
        takeAllArrivals(rest.inbox);
        cancelled.addAndGet(wheel.endAll());
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

    /**
     * Until when the polling thread needs no new poll.
     *
     * @param began the time of the last poll
     * @param inbox where new timers are to be put
     * @param endTick the next tick at which there is something to do
     */
    private record Rest(Moment began, Inbox<Runnable> inbox, boolean isOver, boolean isForEver, long endTick) {

        static Rest over(Moment began, Inbox<Runnable> inbox) {
            return new Rest(began, inbox, true, false, 0);
        }

        static Rest forEver(Moment began, Inbox<Runnable> inbox) {
            return new Rest(began, inbox, false, true, 0);
        }

        static Rest until(Moment began, Inbox<Runnable> inbox, long endTick) {
            return new Rest(began, inbox, false, false, endTick);
        }

        boolean outlasts(long tick) {
            return isForEver || (!isOver && endTick - tick > 0);
        }
    }

    /** Builds a {@link TimingWheel}. Not thread-safe. */
    public static final class Builder {

        private final LongSupplier nanoTime;
        private Duration tick = DEFAULT_TICK;
        private int maxTimers = Integer.MAX_VALUE;
        private Consumer<? super Throwable> failureHandler = Builder::tellThread;
        private Runnable wakeUp = () -> {};

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
         * For wheels without a thread of their own: is called when a poll is needed before the time that the last one
         * named, once until the next poll begins; by the thread that schedules or cancels, so it must be short. Before
         * the first poll, the first timer calls it. By default nothing happens.
         */
        public Builder wakeUp(Runnable wakeUp) {
            this.wakeUp = Objects.requireNonNull(wakeUp, "wakeUp");
            return this;
        }

        /** Builds the wheel. It rests until it is started or polled; timers may be scheduled before that. */
        public TimingWheel build() {
            return new TimingWheel(this);
        }

        private static void tellThread(Throwable failure) {
            Thread thread = Thread.currentThread();
            thread.getUncaughtExceptionHandler().uncaughtException(thread, failure);
        }
    }
}
