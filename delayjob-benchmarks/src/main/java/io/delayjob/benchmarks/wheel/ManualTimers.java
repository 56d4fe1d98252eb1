package io.delayjob.benchmarks.wheel;

import com.github.benmanes.caffeine.cache.Cache;
import com.github.benmanes.caffeine.cache.Caffeine;
import com.github.benmanes.caffeine.cache.Expiry;
import io.delayjob.wheel.TimingWheel;
import java.time.Duration;
import java.util.PriorityQueue;
import java.util.concurrent.TimeUnit;
import org.agrona.DeadlineTimerWheel;
import org.agrona.collections.Long2ObjectHashMap;
import org.apache.kafka.server.util.timer.ManualKafkaWheel;
import org.jspecify.annotations.Nullable;

/** The timers that work with a virtual clock. */
enum ManualTimers {
    /** The whole timing wheel as in production, with the inbox, the lock, and the computation of pauses. */
    DELAYJOB {
        @Override
        ManualTimer create() {
            long[] clock = {0};
            TimingWheel wheel = TimingWheel.builder(() -> clock[0]).polledByOwner(() -> {});
            return new ManualTimer() {
                @Override
                public void schedule(Runnable task, long deadlineNanos) {
                    wheel.scheduleAt(task, deadlineNanos);
                }

                @Override
                public long advance(long nowNanos) {
                    clock[0] = nowNanos;
                    long wait = wheel.poll();
                    return wait == Long.MAX_VALUE ? wait : nowNanos + wait;
                }
            };
        }
    },
    KAFKA {
        @Override
        ManualTimer create() {
            ManualKafkaWheel wheel = new ManualKafkaWheel();
            return new ManualTimer() {
                @Override
                public void schedule(Runnable task, long deadlineNanos) {
                    wheel.schedule(task, TimeUnit.NANOSECONDS.toMillis(deadlineNanos));
                }

                @Override
                public long advance(long nowNanos) {
                    long next = wheel.advance(TimeUnit.NANOSECONDS.toMillis(nowNanos));
                    return next == Long.MAX_VALUE ? next : TimeUnit.MILLISECONDS.toNanos(next);
                }
            };
        }
    },
    /** Agrona's timing wheel with 4,096 slots and a map. Users of this wheel must also add a lock. */
    AGRONA {
        @Override
        ManualTimer create() {
            long tick = 1L << 16;
            DeadlineTimerWheel wheel = new DeadlineTimerWheel(TimeUnit.NANOSECONDS, 0, tick, 1 << 12);
            Long2ObjectHashMap<Runnable> tasks = new Long2ObjectHashMap<>();
            return new ManualTimer() {
                @Override
                public void schedule(Runnable task, long deadlineNanos) {
                    tasks.put(wheel.scheduleTimer(deadlineNanos), task);
                }

                @Override
                public long advance(long nowNanos) {
                    wheel.poll(nowNanos, this::fire, Integer.MAX_VALUE);
                    return wheel.timerCount() == 0 ? Long.MAX_VALUE : nowNanos + tick;
                }

                private boolean fire(TimeUnit unit, long now, long timerId) {
                    tasks.remove(timerId).run();
                    return true;
                }
            };
        }
    },
    HEAP {
        @Override
        ManualTimer create() {
            PriorityQueue<Waiting> heap =
                    new PriorityQueue<>((one, other) -> Long.compare(one.deadlineNanos, other.deadlineNanos));
            return new ManualTimer() {
                @Override
                public void schedule(Runnable task, long deadlineNanos) {
                    heap.add(new Waiting(task, deadlineNanos));
                }

                @Override
                public long advance(long nowNanos) {
                    Waiting first = heap.peek();
                    while (first != null && first.deadlineNanos <= nowNanos) {
                        heap.poll().task.run();
                        first = heap.peek();
                    }
                    return first == null ? Long.MAX_VALUE : first.deadlineNanos;
                }
            };
        }
    },
    /** The timing wheel inside Caffeine's cache. The shortest tick of this wheel is about a second. */
    CAFFEINE {
        @Override
        ManualTimer create() {
            long[] clock = {0};
            Cache<Object, Waiting> cache = Caffeine.newBuilder()
                    .ticker(() -> clock[0])
                    .executor(Runnable::run)
                    .<Object, Waiting>evictionListener((key, waiting, cause) -> run(waiting))
                    .expireAfter(Expiry.writing((Object key, Waiting waiting) ->
                            Duration.ofNanos(Math.max(0, waiting.deadlineNanos - clock[0]))))
                    .build();
            return new ManualTimer() {
                @Override
                public void schedule(Runnable task, long deadlineNanos) {
                    cache.put(new Object(), new Waiting(task, deadlineNanos));
                }

                @Override
                public long advance(long nowNanos) {
                    clock[0] = nowNanos;
                    cache.cleanUp();
                    return cache.estimatedSize() == 0 ? Long.MAX_VALUE : nowNanos + (1L << 30);
                }
            };
        }
    };

    private record Waiting(Runnable task, long deadlineNanos) {}

    abstract ManualTimer create();

    static void run(@Nullable Waiting expired) {
        if (expired != null) {
            expired.task.run();
        }
    }
}
