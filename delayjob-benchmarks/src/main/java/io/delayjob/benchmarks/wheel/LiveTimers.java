package io.delayjob.benchmarks.wheel;

import io.delayjob.internal.agent.EngineThreads;
import io.delayjob.time.Agent;
import io.delayjob.time.AgentHandle;
import io.delayjob.wheel.Timeout;
import io.delayjob.wheel.TimingWheel;
import io.netty.util.HashedWheelTimer;
import java.time.Duration;
import java.util.Timer;
import java.util.TimerTask;
import java.util.concurrent.DelayQueue;
import java.util.concurrent.Delayed;
import java.util.concurrent.ForkJoinPool;
import java.util.concurrent.Future;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.ScheduledExecutorService;
import java.util.concurrent.ScheduledThreadPoolExecutor;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.LockSupport;
import java.util.concurrent.locks.ReentrantLock;
import org.agrona.DeadlineTimerWheel;
import org.agrona.collections.Long2ObjectHashMap;
import org.apache.kafka.server.util.timer.SystemTimer;

/** The measured timers. */
enum LiveTimers {
    /** Polled by an agent, as in production. */
    DELAYJOB {
        @Override
        LiveTimer start() {
            return new PolledWheel();
        }
    },
    /** With a tick of 1 ms, the finest that is practical. */
    NETTY {
        @Override
        LiveTimer start() {
            HashedWheelTimer timer = new HashedWheelTimer(LiveTimers::daemon, 1, TimeUnit.MILLISECONDS, 4096);
            timer.start();
            return new LiveTimer() {
                @Override
                public Object schedule(Runnable task, long delayNanos) {
                    return timer.newTimeout(timeout -> task.run(), delayNanos, TimeUnit.NANOSECONDS);
                }

                @Override
                public void cancel(Object handle) {
                    ((io.netty.util.Timeout) handle).cancel();
                }

                @Override
                public void close() {
                    timer.stop();
                }
            };
        }
    },
    /** As Kafka's brokers run it: 1 ms, 20 slots per level, and a thread that advances its clock. */
    KAFKA {
        @Override
        LiveTimer start() {
            SystemTimer timer = new SystemTimer("kafka");
            Stoppable reaper = new Stoppable(() -> {
                try {
                    timer.advanceClock(200);
                } catch (InterruptedException stopped) {
                    Thread.currentThread().interrupt();
                }
            });
            return new LiveTimer() {
                @Override
                public Object schedule(Runnable task, long delayNanos) {
                    KafkaTask added = new KafkaTask(task, TimeUnit.NANOSECONDS.toMillis(delayNanos));
                    timer.add(added);
                    return added;
                }

                @Override
                public void cancel(Object handle) {
                    ((KafkaTask) handle).cancel();
                }

                @Override
                public void close() {
                    reaper.stop();
                    timer.close();
                }
            };
        }
    },
    /** With the lock, the map and the thread that it leaves to its user. */
    AGRONA {
        @Override
        LiveTimer start() {
            return new AgronaTimer();
        }
    },
    EXECUTOR {
        @Override
        LiveTimer start() {
            ScheduledThreadPoolExecutor executor = new ScheduledThreadPoolExecutor(1, LiveTimers::daemon);
            executor.setRemoveOnCancelPolicy(true);
            executor.prestartAllCoreThreads();
            return new LiveTimer() {
                @Override
                public Object schedule(Runnable task, long delayNanos) {
                    return executor.schedule(task, delayNanos, TimeUnit.NANOSECONDS);
                }

                @Override
                public void cancel(Object handle) {
                    ((Future<?>) handle).cancel(false);
                }

                @Override
                public void close() {
                    executor.shutdownNow();
                }
            };
        }
    },
    JAVA_TIMER {
        @Override
        LiveTimer start() {
            Timer timer = new Timer(true);
            return new LiveTimer() {
                @Override
                public Object schedule(Runnable task, long delayNanos) {
                    TimerTask added = new TimerTask() {
                        @Override
                        public void run() {
                            task.run();
                        }
                    };
                    timer.schedule(added, TimeUnit.NANOSECONDS.toMillis(delayNanos));
                    return added;
                }

                @Override
                public void cancel(Object handle) {
                    ((TimerTask) handle).cancel();
                }

                @Override
                public void close() {
                    timer.cancel();
                }
            };
        }
    },
    DELAY_QUEUE {
        @Override
        LiveTimer start() {
            DelayQueue<QueuedTask> queue = new DelayQueue<>();
            Stoppable taker = new Stoppable(() -> {
                try {
                    queue.take().task.run();
                } catch (InterruptedException stopped) {
                    Thread.currentThread().interrupt();
                }
            });
            return new LiveTimer() {
                @Override
                public Object schedule(Runnable task, long delayNanos) {
                    QueuedTask added = new QueuedTask(task, System.nanoTime() + delayNanos);
                    queue.add(added);
                    return added;
                }

                @Override
                public void cancel(Object handle) {
                    queue.remove(handle);
                }

                @Override
                public void close() {
                    taker.stop();
                }
            };
        }
    },
    /** The scheduler of JDK 25's ForkJoinPool, with one worker. */
    FORK_JOIN {
        @Override
        boolean isAvailable() {
            return ScheduledExecutorService.class.isAssignableFrom(ForkJoinPool.class);
        }

        @Override
        LiveTimer start() {
            if (!((Object) new ForkJoinPool(1) instanceof ScheduledExecutorService pool)) {
                throw new UnsupportedOperationException(
                        "Only the ForkJoinPool of JDK 25 or later has a scheduler, this is " + Runtime.version()
                                + ": leave FORK_JOIN out.");
            }
            return new LiveTimer() {
                @Override
                public Object schedule(Runnable task, long delayNanos) {
                    return pool.schedule(task, delayNanos, TimeUnit.NANOSECONDS);
                }

                @Override
                public void cancel(Object handle) {
                    ((Future<?>) handle).cancel(false);
                }

                @Override
                public void close() {
                    pool.shutdownNow();
                }
            };
        }
    },
    /**
     * Not a timer, but a lower bound: a thread that parks until each deadline in turn. The deadlines must be in order.
     */
    PARKED {
        @Override
        LiveTimer start() {
            LinkedBlockingQueue<QueuedTask> queue = new LinkedBlockingQueue<>();
            Stoppable taker = new Stoppable(() -> {
                try {
                    QueuedTask next = queue.take();
                    SteadyLoad.parkUntil(next.deadlineNanos);
                    next.task.run();
                } catch (InterruptedException stopped) {
                    Thread.currentThread().interrupt();
                }
            });
            return new LiveTimer() {
                @Override
                public Object schedule(Runnable task, long delayNanos) {
                    QueuedTask added = new QueuedTask(task, System.nanoTime() + delayNanos);
                    queue.add(added);
                    return added;
                }

                @Override
                public void cancel(Object handle) {
                    throw new UnsupportedOperationException("A bare thread cannot cancel: measure something else.");
                }

                @Override
                public void close() {
                    taker.stop();
                }
            };
        }
    },
    /** The lower bound of the harness, which keeps no timer. */
    NONE {
        @Override
        LiveTimer start() {
            return new LiveTimer() {
                @Override
                public Object schedule(Runnable task, long delayNanos) {
                    return task;
                }

                @Override
                public void cancel(Object handle) {}

                @Override
                public void close() {}
            };
        }
    };

    abstract LiveTimer start();

    /** Tells whether this JDK has the timer. */
    boolean isAvailable() {
        return true;
    }

    static Thread daemon(Runnable task) {
        Thread thread = new Thread(task, "timer");
        thread.setDaemon(true);
        return thread;
    }

    private static final class PolledWheel implements LiveTimer, Agent {

        private final TimingWheel wheel = TimingWheel.builder(System::nanoTime).polledByOwner(this::wake);
        private final EngineThreads threads = new EngineThreads();
        private final AgentHandle polling = threads.start(this);

        /** Wakes the thread. All fields are set before the first timer is scheduled. */
        private void wake() {
            polling.wake();
        }

        @Override
        public String roleName() {
            return "wheel";
        }

        @Override
        public long doWork() {
            return wheel.poll();
        }

        @Override
        public Object schedule(Runnable task, long delayNanos) {
            return wheel.schedule(task, Duration.ofNanos(delayNanos));
        }

        @Override
        public void cancel(Object handle) {
            ((Timeout<?>) handle).cancel();
        }

        @Override
        public void close() {
            wheel.close();
            polling.stop();
            threads.close();
        }
    }

    /** Repeats an action on a thread of its own until it is stopped. */
    private static final class Stoppable {

        private final Thread thread;
        private volatile boolean stopped;

        Stoppable(Runnable turn) {
            thread = daemon(() -> {
                while (!stopped) {
                    turn.run();
                }
            });
            thread.start();
        }

        void stop() {
            stopped = true;
            thread.interrupt();
        }
    }

    private static final class KafkaTask extends org.apache.kafka.server.util.timer.TimerTask {

        private final Runnable task;

        KafkaTask(Runnable task, long delayMillis) {
            super(delayMillis);
            this.task = task;
        }

        @Override
        public void run() {
            task.run();
        }
    }

    private static final class QueuedTask implements Delayed {

        private final Runnable task;
        private final long deadlineNanos;

        QueuedTask(Runnable task, long deadlineNanos) {
            this.task = task;
            this.deadlineNanos = deadlineNanos;
        }

        @Override
        public long getDelay(TimeUnit unit) {
            return unit.convert(deadlineNanos - System.nanoTime(), TimeUnit.NANOSECONDS);
        }

        @Override
        public int compareTo(Delayed other) {
            return Long.compare(deadlineNanos - ((QueuedTask) other).deadlineNanos, 0);
        }
    }

    private static final class AgronaTimer implements LiveTimer {

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
}
