package io.delayjob.benchmarks.wheel;

import java.util.Arrays;
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

/**
 * Timers become due at a steady rate. Measures how late the timers fire, and how late a parked thread wakes up. The
 * important figures are JMH's secondary results, in microseconds.
 */
@BenchmarkMode(Mode.SingleShotTime)
@OutputTimeUnit(TimeUnit.MILLISECONDS)
@Warmup(iterations = 2)
@Measurement(iterations = 4)
@Fork(
        value = 2,
        jvmArgsAppend = {"-Xms4g", "-Xmx4g", "-XX:+UseParallelGC"})
@State(Scope.Benchmark)
public class LatenessBenchmark {

    private static final int PARKED_RATE = 1_000;

    @Param({"DELAYJOB", "NETTY", "KAFKA", "AGRONA", "EXECUTOR", "JAVA_TIMER", "DELAY_QUEUE", "PARKED"})
    public String timers = "DELAYJOB";

    @Param({"1000", "50000"})
    public int rate;

    /** Seconds between the scheduling of a timer and its due time. */
    @Param("20")
    public int secondsAhead;

    /** Length of an iteration in milliseconds. */
    @Param("1000")
    public int millis;

    @SuppressWarnings("NullAway.Init") // set up before anything else
    private SteadyLoad load;

    @SuppressWarnings("NullAway.Init")
    private SteadyLoad parked;

    /** In microseconds. */
    @State(Scope.Thread)
    @AuxCounters(AuxCounters.Type.EVENTS)
    public static class Lateness {

        public double p50;

        public double p99;

        /** The smallest lateness; negative if a timer was early. */
        public double earliest;

        public long early;

        public double parkedP50;
    }

    @Setup
    public void start() {
        load = new SteadyLoad(LiveTimers.valueOf(timers).start(), rate, rate * secondsAhead);
        parked = new SteadyLoad(LiveTimers.PARKED.start(), PARKED_RATE, PARKED_RATE);
    }

    @TearDown
    public void stop() throws InterruptedException {
        load.close();
        parked.close();
    }

    @Benchmark
    public void fire(Lateness lateness) {
        long[] late = load.take(Math.max(1, rate * millis / 1000));
        lateness.p50 = percentile(late, 0.5);
        lateness.p99 = percentile(late, 0.99);
        lateness.earliest = late[0] / 1e3;
        lateness.early = Arrays.stream(late).filter(nanos -> nanos < 0).count();
        lateness.parkedP50 = percentile(parked.take(PARKED_RATE * millis / 1000), 0.5);
    }

    private static double percentile(long[] sorted, double share) {
        return sorted[(int) Math.ceil(share * sorted.length) - 1] / 1e3;
    }
}
