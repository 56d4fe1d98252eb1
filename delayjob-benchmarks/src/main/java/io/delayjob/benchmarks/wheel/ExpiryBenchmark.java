package io.delayjob.benchmarks.wheel;

import java.util.Random;
import java.util.concurrent.TimeUnit;
import org.openjdk.jmh.annotations.Benchmark;
import org.openjdk.jmh.annotations.BenchmarkMode;
import org.openjdk.jmh.annotations.Fork;
import org.openjdk.jmh.annotations.Level;
import org.openjdk.jmh.annotations.Measurement;
import org.openjdk.jmh.annotations.Mode;
import org.openjdk.jmh.annotations.OutputTimeUnit;
import org.openjdk.jmh.annotations.Param;
import org.openjdk.jmh.annotations.Scope;
import org.openjdk.jmh.annotations.Setup;
import org.openjdk.jmh.annotations.State;
import org.openjdk.jmh.annotations.Warmup;

/**
 * Measures the time to expire all timers, including their moves through the levels of a wheel. The timers are spread
 * evenly over a minute. The clock moves to each time at which the data structure has work to do.
 */
@BenchmarkMode(Mode.AverageTime)
@OutputTimeUnit(TimeUnit.MICROSECONDS)
@Warmup(iterations = 1, time = 2)
@Measurement(iterations = 4, time = 1)
@Fork(
        value = 2,
        jvmArgsAppend = {"-Xms6g", "-Xmx6g", "-XX:+UseParallelGC"})
@State(Scope.Thread)
public class ExpiryBenchmark {

    private static final long SECOND = 1_000_000_000L;

    @Param({"DELAYJOB", "KAFKA", "AGRONA", "HEAP", "CAFFEINE"})
    public String timers = "DELAYJOB";

    @Param({"10000", "1000000", "10000000"})
    public int pending;

    private ManualTimer timer = ManualTimers.HEAP.create();
    private int expired;

    @Setup(Level.Invocation)
    public void fill() {
        Random random = new Random(42);
        timer = ManualTimers.valueOf(timers).create();
        for (int i = 0; i < pending; i++) {
            timer.schedule(() -> expired++, random.nextLong(SECOND, 61 * SECOND));
        }
        timer.advance(1);
        expired = 0;
    }

    @Benchmark
    public int expire() {
        long now = 1;
        while (now != Long.MAX_VALUE) {
            now = timer.advance(now);
        }
        if (expired != pending) {
            throw new IllegalStateException("%d of %d timers expired".formatted(expired, pending));
        }
        return expired;
    }
}
