package io.delayjob.test;

import java.time.Duration;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Deque;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Set;
import java.util.concurrent.Semaphore;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/**
 * Virtual time in which a call may wait before it is finished, such as a call that waits for its reply. Meanwhile
 * everything else continues.
 *
 * <pre>
 *   thread 1   event, event, call . . . . . . . . . . call goes on, event     one of them runs at any moment;
 *   thread 2                     event, event, wake-up                        the other waits for its turn
 * </pre>
 *
 * <p>Only one thread runs at any moment, so a run can be repeated exactly, as on a single thread. A call that waits
 * must not hold a lock, which is a rule for calls of a store anyway. One thread creates, advances and closes this
 * object.
 */
final class Interleaving implements AutoCloseable {

    private static final HandedOver HANDED_OVER = new HandedOver();

    private final VirtualTime time;
    private final List<Runner> runners = new ArrayList<>();
    private final Deque<Runner> idle = new ArrayDeque<>();
    private final Set<Waiting> waiting = new LinkedHashSet<>();
    private final Semaphore ended = new Semaphore(0);
    private long endNanos;
    private @Nullable Throwable failure;
    private boolean closed;

    Interleaving(VirtualTime time) {
        this.time = time;
    }

    /** Advances time, and runs everything that becomes due until then. */
    void advance(Duration duration) {
        endNanos = time.clock().nanoTime() + duration.toNanos();
        handTurnToRunner();
        awaitTurn();
    }

    /** Waits for this time in the middle of a call. */
    void sleep(long nanos) {
        await(wakeUp -> time.schedule(nanos, wakeUp));
    }

    /**
     * Waits in the middle of a call.
     *
     * @param schedule must ensure that its argument is called once, as a separate event
     */
    void await(Consumer<Runnable> schedule) {
        throwIfClosed();
        Waiting here = new Waiting();
        waiting.add(here);
        schedule.accept(() -> wake(here));
        handTurnToRunner();
        here.turn.acquireUninterruptibly();
        throwIfClosed();
    }

    private void throwIfClosed() {
        if (closed) {
            throw new ProcessEnded();
        }
    }

    /** Wakes a waiting call and gives it the turn. The calling thread must not do anything else afterwards. */
    private void wake(Waiting one) {
        waiting.remove(one);
        idle.push((Runner) Thread.currentThread());
        one.turn.release();
        throw HANDED_OVER;
    }

    private void handTurnToRunner() {
        Runner next = idle.poll();
        if (next == null) {
            next = new Runner();
            runners.add(next);
            next.start();
        }
        next.turn.release();
    }

    private void awaitTurn() {
        ended.acquireUninterruptibly();
        Throwable thrown = failure;
        failure = null;
        if (thrown instanceof Error error) {
            throw error;
        }
        if (thrown instanceof RuntimeException exception) {
            throw exception;
        }
    }

    /**
     * Ends each call that still waits with a {@link ProcessEnded}, because no code of their processes may run any more.
     * Calls that such code makes nevertheless end in the same way.
     */
    @Override
    public void close() {
        closed = true;
        endNanos = time.clock().nanoTime();
        for (Waiting one : List.copyOf(waiting)) {
            one.turn.release();
            awaitTurn();
        }
        runners.forEach(runner -> runner.turn.release());
    }

    private void run(Runner runner) {
        runner.turn.acquireUninterruptibly();
        while (!closed) {
            try {
                while (time.clock().nanoTime() < endNanos) {
                    time.advance(Duration.ofNanos(endNanos - time.clock().nanoTime()));
                }
                yieldTurn(runner);
            } catch (HandedOver elsewhere) {
                // Another thread has the turn already.
            } catch (RuntimeException | Error thrown) {
                failure = thrown;
                yieldTurn(runner);
            }
            runner.turn.acquireUninterruptibly();
        }
    }

    private void yieldTurn(Runner runner) {
        idle.push(runner);
        ended.release();
    }

    private final class Runner extends Thread {
        private final Semaphore turn = new Semaphore(0);

        Runner() {
            super("interleaving");
            setDaemon(true);
        }

        @Override
        public void run() {
            Interleaving.this.run(this);
        }
    }

    private static final class Waiting {
        private final Semaphore turn = new Semaphore(0);
    }

    private static final class HandedOver extends Error {
        private static final long serialVersionUID = 1;

        HandedOver() {
            super(null, null, false, false);
        }
    }

    /** Thrown within a process that has ended, so that the call under way ends. */
    static final class ProcessEnded extends Error {
        private static final long serialVersionUID = 1;

        ProcessEnded() {
            super("the process has ended", null, false, false);
        }
    }
}
