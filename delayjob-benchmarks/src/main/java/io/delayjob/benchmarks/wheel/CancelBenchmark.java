package io.delayjob.benchmarks.wheel;

import java.util.concurrent.ThreadLocalRandom;
import java.util.concurrent.TimeUnit;
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

/**
 * Measures the time to cancel a random pending timer and to schedule a new timer. Connections use the timers of their
 * timeouts in this way.
 */
@BenchmarkMode(Mode.AverageTime)
@OutputTimeUnit(TimeUnit.NANOSECONDS)
@Warmup(iterations = 2, time = 1)
@Measurement(iterations = 4, time = 1)
@Fork(
        value = 2,
        // With the G1 collector, the benchmark would mainly measure the write barrier of its own array.
        jvmArgsAppend = {"-Xms6g", "-Xmx6g", "-XX:+UseParallelGC"})
@State(Scope.Benchmark)
public class CancelBenchmark {

    @Param({"DELAYJOB", "NETTY", "KAFKA", "AGRONA", "EXECUTOR", "NONE"})
    public String timers = "DELAYJOB";

    @Param({"10000", "1000000", "10000000"})
    public int pending;

    private LiveTimer timer = LiveTimers.NONE.start();
    private Object[] handles = {};

    @Setup
    public void fill() {
        timer = LiveTimers.valueOf(timers).start();
        handles = new Object[pending];
        for (int i = 0; i < pending; i++) {
            handles[i] = timer.schedule(Delays.NOTHING, Delays.far(ThreadLocalRandom.current()));
        }
    }

    @TearDown
    public void close() {
        timer.close();
    }

    @Benchmark
    public void cancelAndSchedule() {
        ThreadLocalRandom random = ThreadLocalRandom.current();
        int victim = random.nextInt(handles.length);
        timer.cancel(handles[victim]);
        handles[victim] = timer.schedule(Delays.NOTHING, Delays.far(random));
    }
}
