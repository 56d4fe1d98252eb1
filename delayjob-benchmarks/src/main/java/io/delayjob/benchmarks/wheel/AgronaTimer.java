package io.delayjob.benchmarks.wheel;

import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.LockSupport;
import java.util.concurrent.locks.ReentrantLock;
import org.agrona.DeadlineTimerWheel;
import org.agrona.collections.Long2ObjectHashMap;

/** Agrona's timing wheel, with the lock, the map and the thread that its users must add. */
final class AgronaTimer implements LiveTimer {

    private static final long TICK = 1L << 16;

    private final ReentrantLock lock = new ReentrantLock();
    private final DeadlineTimerWheel wheel =
            new DeadlineTimerWheel(TimeUnit.NANOSECONDS, System.nanoTime(), TICK, 1 << 12);
    private final Long2ObjectHashMap<Runnable> tasks = new Long2ObjectHashMap<>();
    private final Stoppable poller = new Stoppable(this::poll);

    private void poll() {
        long now = System.nanoTime();
        int expired;
        lock.lock();
        try {
            expired = wheel.poll(now, this::fire, 1024);
        } finally {
            lock.unlock();
        }
        if (expired == 0 && wheel.currentTickTime() - now > 0) {
            LockSupport.parkNanos(TICK);
        }
    }

    private boolean fire(TimeUnit unit, long now, long timerId) {
        tasks.remove(timerId).run();
        return true;
    }

    @Override
    public Object schedule(Runnable task, long delayNanos) {
        lock.lock();
        try {
            long id = wheel.scheduleTimer(System.nanoTime() + delayNanos);
            tasks.put(id, task);
            return id;
        } finally {
            lock.unlock();
        }
    }

    @Override
    public void cancel(Object handle) {
        lock.lock();
        try {
            wheel.cancelTimer((Long) handle);
            tasks.remove((Long) handle);
        } finally {
            lock.unlock();
        }
    }

    @Override
    public void close() {
        poller.stop();
    }
}
