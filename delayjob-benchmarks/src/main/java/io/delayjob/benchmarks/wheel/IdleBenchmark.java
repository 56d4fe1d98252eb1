package io.delayjob.benchmarks.wheel;

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
import org.openjdk.jmh.annotations.Setup;
import org.openjdk.jmh.annotations.State;
import org.openjdk.jmh.annotations.TearDown;
import org.openjdk.jmh.annotations.Warmup;

/** Measures how much CPU time very many timers need while no timer is due. The CPU time is JMH's secondary result. */
@BenchmarkMode(Mode.SingleShotTime)
@OutputTimeUnit(TimeUnit.MILLISECONDS)
@Warmup(iterations = 3)
@Measurement(iterations = 8)
@Fork(
        value = 1,
        jvmArgsAppend = {"-Xms4g", "-Xmx4g", "-XX:+UseParallelGC"})
@State(Scope.Benchmark)
public class IdleBenchmark {

    @Param({"DELAYJOB", "NETTY", "KAFKA", "AGRONA", "EXECUTOR", "JAVA_TIMER", "DELAY_QUEUE", "NONE"})
    public String timers = "DELAYJOB";

    @Param("1000000")
    public int pending;

    /** Length of an iteration in milliseconds. */
    @Param("1000")
    public int millis;

    private LiveTimer timer = LiveTimers.NONE.start();

    @State(Scope.Thread)
    @AuxCounters(AuxCounters.Type.EVENTS)
    public static class Cost {

        /** CPU microseconds per second, on all processors together. */
        public double cpuPerSecond;
    }

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

    @Benchmark
    public void idle(Cost cost) {
        long begin = System.nanoTime();
        long before = CpuTime.nanos();
        SteadyLoad.parkUntil(begin + TimeUnit.MILLISECONDS.toNanos(millis));
        cost.cpuPerSecond = (CpuTime.nanos() - before) * 1e6 / (System.nanoTime() - begin);
    }
}
