package io.delayjob.benchmarks.wheel;

import java.lang.management.ManagementFactory;
import java.util.concurrent.ThreadLocalRandom;
import java.util.concurrent.TimeUnit;
import org.openjdk.jmh.annotations.AuxCounters;
import org.openjdk.jmh.annotations.Benchmark;
import org.openjdk.jmh.annotations.BenchmarkMode;
import org.openjdk.jmh.annotations.Fork;
import org.openjdk.jmh.annotations.Measurement;
import org.openjdk.jmh.annotations.Mode;
import org.openjdk.jmh.annotations.OutputTimeUnit;
import org.openjdk.jmh.annotations.Param;
import org.openjdk.jmh.annotations.Scope;
import org.openjdk.jmh.annotations.State;
import org.openjdk.jmh.annotations.Warmup;

/**
 * Measures the heap memory of a pending timer with its handle, but without its task. JMH reports this figure as a
 * secondary result.
 */
@BenchmarkMode(Mode.SingleShotTime)
@OutputTimeUnit(TimeUnit.MILLISECONDS)
@Warmup(iterations = 0)
@Measurement(iterations = 1)
@Fork(
        // Each iteration has its own JVM, so that it does not measure the remains of the previous iteration.
        value = 8,
        jvmArgsAppend = {"-Xms2g", "-Xmx2g", "-XX:+UseSerialGC"})
@State(Scope.Benchmark)
public class MemoryBenchmark {

    private static final int COLLECTIONS = 3;

    @Param({"DELAYJOB", "NETTY", "KAFKA", "AGRONA", "EXECUTOR", "JAVA_TIMER", "DELAY_QUEUE"})
    public String timers = "DELAYJOB";

    @Param("1000000")
    public int pending;

    @State(Scope.Thread)
    @AuxCounters(AuxCounters.Type.EVENTS)
    public static class Heap {

        public double bytesPerTimer;
    }

    private Object[] handles = {};

    @Benchmark
    public void fill(Heap heap) {
        handles = new Object[pending];
        long before = used();
        try (LiveTimer timer = LiveTimers.valueOf(timers).start()) {
            for (int i = 0; i < pending; i++) {
                handles[i] = timer.schedule(Delays.NOTHING, Delays.far(ThreadLocalRandom.current()));
            }
            heap.bytesPerTimer = (used() - before) / (double) pending;
        }
    }

    private static long used() {
        for (int i = 0; i < COLLECTIONS; i++) {
            System.gc();
        }
        return ManagementFactory.getMemoryMXBean().getHeapMemoryUsage().getUsed();
    }
}
