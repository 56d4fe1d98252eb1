package io.delayjob.benchmarks.wheel;

import io.netty.util.HashedWheelTimer;
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
import org.apache.kafka.server.util.timer.SystemTimer;

/** The measured timers. */
enum LiveTimers {
    DELAYJOB {
        @Override
        LiveTimer start() {
            return new PolledWheel();
        }
    },
    /** Netty's timing wheel with a tick of 1 ms, which is the shortest practical tick. */
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
    /**
     * Kafka's timer with the settings of Kafka's brokers: a tick of 1 ms, 20 slots per level, and a thread that
     * advances the clock.
     */
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
    /** Agrona's timing wheel, with the parts that users of this wheel must add. */
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
    FORK_JOIN {
        @Override
        boolean isAvailable() {
            return ScheduledExecutorService.class.isAssignableFrom(ForkJoinPool.class);
        }

        @Override
        LiveTimer start() {
            if (!((Object) new ForkJoinPool(1) instanceof ScheduledExecutorService pool)) {
                throw new UnsupportedOperationException(
                        "Only the ForkJoinPool of JDK 25 or later has a scheduler, but this JDK is " + Runtime.version()
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
    /** A thread that parks until each deadline in turn, as a lower bound for all timers. The deadlines must ascend. */
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
                    throw new UnsupportedOperationException(
                            "The contender without a timer cannot cancel: leave it out of this measurement.");
                }

                @Override
                public void close() {
                    taker.stop();
                }
            };
        }
    },
    /** The benchmark without a timer, to show the cost of the benchmark itself. */
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

    boolean isAvailable() {
        return true;
    }

    static Thread daemon(Runnable task) {
        Thread thread = new Thread(task, "timer");
        thread.setDaemon(true);
        return thread;
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
}
