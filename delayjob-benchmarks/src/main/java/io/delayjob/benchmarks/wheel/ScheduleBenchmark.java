package io.delayjob.benchmarks.wheel;

import java.util.concurrent.ThreadLocalRandom;
import java.util.concurrent.TimeUnit;
import org.openjdk.jmh.annotations.Benchmark;
import org.openjdk.jmh.annotations.BenchmarkMode;
import org.openjdk.jmh.annotations.Fork;
import org.openjdk.jmh.annotations.Level;
import org.openjdk.jmh.annotations.Measurement;
import org.openjdk.jmh.annotations.Mode;
import org.openjdk.jmh.annotations.OperationsPerInvocation;
import org.openjdk.jmh.annotations.OutputTimeUnit;
import org.openjdk.jmh.annotations.Param;
import org.openjdk.jmh.annotations.Scope;
import org.openjdk.jmh.annotations.Setup;
import org.openjdk.jmh.annotations.State;
import org.openjdk.jmh.annotations.TearDown;
import org.openjdk.jmh.annotations.Threads;
import org.openjdk.jmh.annotations.Warmup;

/** Measures how long it takes to schedule one more timer while a million timers are pending. */
@BenchmarkMode(Mode.SingleShotTime)
@OutputTimeUnit(TimeUnit.NANOSECONDS)
@Warmup(iterations = 20)
@Measurement(iterations = 20)
@Fork(
        value = 3,
        jvmArgsAppend = {"-Xms4g", "-Xmx4g", "-XX:+UseParallelGC"})
public class ScheduleBenchmark {

    static final int OPERATIONS = 50_000;

    @State(Scope.Benchmark)
    public static class Pending {

        @Param({"DELAYJOB", "NETTY", "KAFKA", "AGRONA", "EXECUTOR", "JAVA_TIMER", "NONE"})
        public String timers = "DELAYJOB";

        @Param("1000000")
        public int pending;

        LiveTimer timer = LiveTimers.NONE.start();

        @Setup
        public void fill() {
            timer = LiveTimers.valueOf(timers).start();
            for (int i = 0; i < pending; i++) {
                timer.schedule(Delays.NOTHING, Delays.far(ThreadLocalRandom.current()));
            }
        }

        @TearDown
        public void close() {
            timer.close();
        }
    }

    @State(Scope.Thread)
    public static class Mine {

        private final Object[] handles = new Object[OPERATIONS];

        /** Cancels the new timers, because the next iteration must begin with the same number of timers. */
        @TearDown(Level.Iteration)
        public void cancel(Pending state) {
            for (Object handle : handles) {
                state.timer.cancel(handle);
            }
        }
    }

    @Benchmark
    @OperationsPerInvocation(OPERATIONS)
    public void oneThread(Pending state, Mine mine) {
        schedule(state, mine);
    }

    @Benchmark
    @Threads(2)
    @OperationsPerInvocation(OPERATIONS)
    public void twoThreads(Pending state, Mine mine) {
        schedule(state, mine);
    }

    private static void schedule(Pending state, Mine mine) {
        ThreadLocalRandom random = ThreadLocalRandom.current();
        for (int i = 0; i < OPERATIONS; i++) {
            mine.handles[i] = state.timer.schedule(Delays.NOTHING, Delays.far(random));
        }
    }
}
