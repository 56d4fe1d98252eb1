package io.delayjob.wheel;

import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import java.util.concurrent.Future;
import java.util.concurrent.RejectedExecutionException;
import java.util.concurrent.atomic.AtomicLong;
import java.util.concurrent.locks.ReentrantLock;
import java.util.function.Consumer;
import java.util.function.LongSupplier;
import org.jspecify.annotations.Nullable;

/**
 * Runs any number of short tasks, each at its time. A task is never early, and usually less than a tick late. The wheel
 * has no thread of its own, so its owner must poll it. Any thread may schedule and cancel timers.
 *
 * <pre>{@code
 * // in real time, by a thread that rests until the next timer is due
 * TimingWheel wheel = TimingWheel.builder(System::nanoTime).polledByOwner(() -> LockSupport.unpark(poller));
 * wheel.schedule(connection::ping, Duration.ofSeconds(30));
 * while (!Thread.currentThread().isInterrupted()) {
 *     LockSupport.parkNanos(wheel.poll());
 * }
 *
 * // in virtual time
 * TimingWheel wheel = TimingWheel.builder(clock::nanos).tick(Duration.ofNanos(1)).polledByOwner(() -> {});
 * wheel.schedule(connection::ping, Duration.ofSeconds(30));
 * clock.advance(Duration.ofSeconds(30));
 * wheel.poll();
 * }</pre>
 *
 * <h2>How the threads work together</h2>
 *
 * <pre>
 *   any thread                                the polling thread
 *
 *   schedule:  set the tick, push  → [ inbox ] → take all, put into slots → HierarchicalWheel
 *   cancel:    take the task, count                                            │
 *                                                due: take the task, run it; sweep cancelled timers
 *   wake the owner, if it rests too long         begin the rest, check the inbox again, return
 * </pre>
 *
 * <ol>
 * <li><em>A timer ends when its task is taken.</em> To run or cancel the timer, or to close the wheel, a thread takes
 * the task in one atomic step. Therefore every timer ends exactly once. After a cancellation, the task can be garbage
 * collected immediately.
 * <li><em>Only the polling thread puts timers into slots or removes timers from slots.</em> Any other thread only
 * pushes a timer to the inbox. If more than half of all timers are cancelled, polls remove the cancelled timers step by
 * step.
 * <li><em>No wake-up is lost.</em> At the end of a poll, the polling thread publishes the time until which the owner
 * sleeps. Then it checks the inbox once more. To add a timer, a thread pushes the timer, and then reads this published
 * time. Therefore at least one of the two threads sees what the other thread has written. If the timer is due before
 * the published time, the thread that adds the timer wakes up the owner.
 * </ol>
 *
 * <h2>Costs</h2>
 *
 * To schedule a timer, a thread creates an object of 24 bytes. The thread needs one atomic step, but no lock. To cancel
 * a timer, a thread needs two atomic steps. Each poll is limited to 1,024 timers that it fires or moves down, and to
 * 1,024 timers that it sweeps. A poll that reaches these limits takes some tenths of a millisecond, plus the time of
 * its tasks.
 *
 * <p>Tasks run on the polling thread, one after the other. A long task delays all other tasks, so pass longer work to
 * an executor.
 */
public final class TimingWheel implements AutoCloseable {

    /** The default tick: 8,192 ns, about 8 microseconds. Empty ticks cost nothing, so a tick may be short. */
    public static final Duration DEFAULT_TICK = Duration.ofNanos(1 << 13);

    /**
     * The time to wait if there is no timer: longer than the longest delay, but so short that differences of times do
     * not overflow.
     */
    private static final long FOR_EVER = Delays.LONGEST + Delays.LONGEST / 2;

    /** Maximum number of timers that one poll fires or moves. One poll also sweeps at most this number of timers. */
    private static final int BATCH = 1024;

    /** A poll is requested after this number of new or of cancelled timers, so that timers do not accumulate. */
    private static final int HEAP = 16 * BATCH;

    private final LongSupplier nanoTime;
    private final Duration tick;
    private final Places places;
    private final Consumer<? super Throwable> failureHandler;
    private final Runnable wakeUp;

    private final Runnable onCancel = this::cancelled;
    private final AtomicLong cancelled = new AtomicLong();

    private final AtomicLong fired = new AtomicLong();

    private final AtomicLong lag = new AtomicLong();
    private final Inbox<Runnable> inbox = new Inbox<>();
    private final Rest rest = new Rest();
    private final Onlookers onlookers = new Onlookers();

    private final ReentrantLock polling = new ReentrantLock();

    /** The lock {@link #polling} guards the timers of the wheel. After a close, this field contains an empty wheel. */
    private volatile HierarchicalWheel<Runnable> wheel;

    private volatile boolean closed;

    TimingWheel(TimingWheelBuilder builder, Runnable wakeUp) {
        this.nanoTime = builder.nanoTime;
        this.tick = builder.tick;
        this.places = new Places(builder.maxTimers);
        this.failureHandler = builder.failureHandler;
        this.wakeUp = wakeUp;
        this.wheel = new HierarchicalWheel<>(nanoTime(), tick);
        rest.begin(FOR_EVER);
    }

    /**
     * Starts to build a wheel.
     *
     * @param nanoTime the clock: monotonic nanoseconds from any origin; it must be thread-safe
     */
    public static TimingWheelBuilder builder(LongSupplier nanoTime) {
        return new TimingWheelBuilder(Objects.requireNonNull(nanoTime, "nanoTime"));
    }

    /**
     * Schedules a task.
     *
     * @param task the task to run; it must be short
     * @param delay the time from now to the run. Zero or negative means as soon as possible. A delay of more than 146
     *     years counts as 146 years
     * @return the handle of the timer
     * @throws RejectedExecutionException if the wheel holds its maximum number of timers, or is closed
     */
    public Timeout<Runnable> schedule(Runnable task, Duration delay) {
        return schedule(task, nanoTime(), Delays.nanosOf(delay));
    }

    /**
     * Schedules a task.
     *
     * @param task the task to run; it must be short
     * @param deadlineNanos the time of the run, on the wheel's clock. If this time is in the past, the task runs as
     *     soon as possible. On any clock, {@link Long#MAX_VALUE} is a time in the far future
     * @return the handle of the timer
     * @throws RejectedExecutionException if the wheel holds its maximum number of timers, or is closed
     */
    public Timeout<Runnable> scheduleAt(Runnable task, long deadlineNanos) {
        long now = nanoTime();
        return schedule(task, now, Delays.of(deadlineNanos - now));
    }

    /**
     * Schedules a task with a period. The planned time of each run is counted from the planned time of the first run.
     * If a run has not ended before the planned time of a later run, this later run is left out. If the task throws an
     * exception, the timer continues.
     *
     * @param task the task; it must be short
     * @param first the time from now to the first run; zero or negative means as soon as possible
     * @param period the time from one run to the next, at least 1 ns; more than 146 years means 146 years
     * @return one handle for all runs; the task may use it to cancel the timer
     * @throws IllegalArgumentException if the period is not positive
     * @throws RejectedExecutionException if the wheel holds its maximum number of timers, or is closed
     */
    public Timeout<Runnable> scheduleEvery(Runnable task, Duration first, Duration period) {
        Objects.requireNonNull(task, "task");
        if (period.isNegative() || period.isZero()) {
            throw new IllegalArgumentException(
                    "Invalid period (%s): must be 1 ns or more, because a period is the time between two runs of a timer"
                            .formatted(period));
        }
        long now = nanoTime();
        long delay = Delays.nanosOf(first);
        Periodic periodic = new Periodic(this, task, now + delay, Delays.nanosOf(period));
        periodic.begin(schedule(periodic, now, delay));
        return periodic;
    }

    private Timeout<Runnable> schedule(Runnable task, long now, long delay) {
        Objects.requireNonNull(task, "task");
        if (closed) {
            throw rejectedAsClosed();
        }
        places.take();
        Entry<Runnable> entry = push(task, now, delay);
        if (closed && entry.cancel()) {
            throw rejectedAsClosed();
        }
        // If the wheel was just closed and the timer was not cancelled here, stop() has returned its task.
        return entry;
    }

    /**
     * A periodic timer keeps its place, so a full wheel does not refuse the timer. Returns {@code null} if the wheel is
     * closed.
     */
    @Nullable
    Timeout<Runnable> scheduleNext(Periodic periodic, long now, long dueNanos) {
        Entry<Runnable> entry = push(periodic, now, dueNanos - now);
        return closed && entry.cancel() ? null : entry;
    }

    private Entry<Runnable> push(Runnable task, long now, long delay) {
        HierarchicalWheel<Runnable> current = wheel;
        long time = current.timeFor(now, delay);
        Entry<Runnable> entry = current.entry(onCancel, task, time);
        long number = inbox.push(entry, time);
        if (number % HEAP == 0 || rest.outlasts(time)) {
            cutRestShort();
        }
        return entry;
    }

    private static RejectedExecutionException rejectedAsClosed() {
        return new RejectedExecutionException("This timing wheel is closed: it takes no more timers");
    }

    void freePlace() {
        places.free();
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
            cutRestShort();
        }
    }

    /**
     * Runs at most 1,024 tasks in order, and only tasks that are due when the call begins. If a task is scheduled
     * during the call, the next poll runs it.
     *
     * @return nanoseconds until the next poll is needed; 0 if a poll is needed at once. {@link Long#MAX_VALUE} if
     *     nothing is scheduled or the wheel is closed. If a caller schedules an earlier timer, the owner is woken up
     * @throws IllegalStateException if a task of this wheel calls this method
     */
    public long poll() {
        if (polling.isHeldByCurrentThread()) {
            throw new IllegalStateException(
                    "A task of a timing wheel must not poll that wheel: schedule another task instead");
        }
        polling.lock();
        try {
            rest.end();
            long now = nanoTime();
            HierarchicalWheel<Runnable> current = wheel;
            current.moveOn(now);
            inbox.take(current::add);
            long wait = current.poll(now, BATCH, task -> fire(task, now - current.tickStartNanos()));
            boolean sweeps = current.isTooMuchGarbage(cancelled.get() - current.dropped()) && current.sweep(BATCH);
            if (onlookers.areWaiting()) {
                onlookers.answer(this::look);
            }
            return closed ? Long.MAX_VALUE : rest(now, sweeps ? 0 : wait);
        } finally {
            polling.unlock();
        }
    }

    private void fire(Runnable task, long lateNanos) {
        fired.setRelease(fired.getPlain() + 1);
        if (!(task instanceof Periodic)) {
            freePlace();
        }
        lag.setOpaque(lateNanos);
        try {
            task.run();
        } catch (Throwable failure) {
            report(failure);
        }
    }

    private long rest(long now, long wait) {
        rest.begin(wheel.timeAt(now) + Math.min(wait, FOR_EVER));
        if (inbox.hasMore() || onlookers.areWaiting()) {
            rest.end();
            return 0;
        }
        return wait == Long.MAX_VALUE ? wait : Math.max(0, wait - (nanoTime() - now));
    }

    private void cutRestShort() {
        if (rest.cutShort()) {
            try {
                wakeUp.run();
            } catch (Throwable failure) {
                report(failure);
            }
        }
    }

    void report(Throwable failure) {
        try {
            failureHandler.accept(failure);
        } catch (Throwable ignored) {
            // The JVM also ignores exceptions of an uncaught exception handler.
        }
    }

    /** Returns the number of timers that have not fired and were not cancelled. */
    public int size() {
        return (int) Math.max(0, inbox.pushed() - ended());
    }

    /**
     * Returns the number of timers on each of the eight levels, beginning with the level of the shortest slots.
     * Cancelled timers are counted until they are swept.
     */
    public List<LevelOccupancy> levels() {
        return wheel.levels();
    }

    /**
     * Requests a snapshot of the occupied slots. This call wakes up the owner, and the next poll takes the snapshot.
     *
     * @return a future of the snapshot; it fails if the wheel is closed. The polling thread must not wait for the
     *     future
     */
    public Future<WheelSnapshot> snapshot() {
        Future<WheelSnapshot> answer = onlookers.join();
        if (closed) {
            onlookers.dismiss(rejectedAsClosed());
        } else {
            cutRestShort();
        }
        return answer;
    }

    private WheelSnapshot look() {
        return new WheelSnapshot(
                wheel.tickStartNanos(), wheel.nanosToNext(), fired.getPlain(), cancelled.get(), wheel.slots());
    }

    /** Returns the number of timers that have moved to a lower level since the wheel was built. */
    public long cascades() {
        return wheel.cascades();
    }

    /** Returns the lateness of the timer that fired last, in nanoseconds; 0 if no timer has fired yet. */
    public long lagNanos() {
        return lag.getOpaque();
    }

    /**
     * Cancels all timers, refuses new timers, and returns the pending tasks. If another thread is polling, the method
     * waits for the end of that poll. When the call returns, no task will start, and no task is running, except a task
     * that makes this call itself. A second call has no effect.
     *
     * @return the tasks of all pending timers, in no particular order; a periodic task is included once
     */
    public List<Runnable> stop() {
        closed = true;
        polling.lock();
        try {
            while (!inbox.take(wheel::add)) {
                Thread.onSpinWait(); // for timers that are just being pushed
            }
            List<Runnable> pending = wheel.endAll();
            cancelled.addAndGet(pending.size());
            wheel = new HierarchicalWheel<>(nanoTime(), tick);
            onlookers.dismiss(rejectedAsClosed());
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
}
