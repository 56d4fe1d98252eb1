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
 * Virtual time in which a call may wait in its middle, as one does that waits for its answer, while everything else goes on.
 *
 * <pre>
 *   thread 1   event, event, call . . . . . . . . . . call goes on, event     one of them runs at any moment;
 *   thread 2                     event, event, wake-up                        the other waits for its turn
 * </pre>
 *
 * <p>The turn is handed over and never shared, so a course is as repeatable as on a single thread. The calls that wait must
 * hold no lock, which is a rule for calls of a store anyway. One thread makes it, advances it and closes it.
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

    /** Lets time pass, and runs all that comes due until then. */
    void advance(Duration duration) {
        endNanos = time.clock().nanoTime() + duration.toNanos();
        handTurnToRunner();
        awaitTurn();
    }

    /** Waits for that long, in the middle of a call. */
    void sleep(long nanos) {
        await(wakeUp -> time.schedule(nanos, wakeUp));
    }

    /**
     * Waits in the middle of a call.
     *
     * @param schedule sees to it that what it is given is called once, as an event of its own
     */
    void await(Consumer<Runnable> schedule) {
        Waiting here = new Waiting();
        waiting.add(here);
        schedule.accept(() -> wake(here));
        handTurnToRunner();
        here.turn.acquireUninterruptibly();
        if (closed) {
            throw new ProcessEnded();
        }
    }

    /** Whoever wakes another has no turn any more: it leaves what it was about, which is nothing but this. */
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

    /** Ends the calls that still wait, each with a {@link ProcessEnded}: nothing of their processes may run any more. */
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
                // It is another thread's turn already.
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

    /** Thrown within a process that is no more, so that the call under way ends. */
    static final class ProcessEnded extends Error {
        private static final long serialVersionUID = 1;

        ProcessEnded() {
            super("the process has ended", null, false, false);
        }
    }
}
