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
 * How late timers fire that come due at a steady rate, in microseconds; and beside them, in the same seconds and at
 * 1,000 a second, how late a bare thread wakes up that has parked until its time. What counts is in the secondary
 * results.
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

    /** The timer. */
    @Param({"DELAYJOB", "NETTY", "KAFKA", "AGRONA", "EXECUTOR", "JAVA_TIMER", "DELAY_QUEUE", "PARKED"})
    public String timers = "DELAYJOB";

    /** How many come due in a second. */
    @Param({"1000", "50000"})
    public int rate;

    /** For how many seconds ahead they are scheduled. */
    @Param("20")
    public int secondsAhead;

    /** How long an iteration lasts. */
    @Param("1000")
    public int millis;

    @SuppressWarnings("NullAway.Init") // set up before anything else
    private SteadyLoad load;

    @SuppressWarnings("NullAway.Init")
    private SteadyLoad parked;

    /** What came out, in microseconds. */
    @State(Scope.Thread)
    @AuxCounters(AuxCounters.Type.EVENTS)
    public static class Lateness {

        /** The median. */
        public double p50;

        /** What one in a hundred exceeds. */
        public double p99;

        /** The least; negative: early. */
        public double earliest;

        /** How many were early. */
        public long early;

        /** The median of the bare thread that parks. */
        public double parkedP50;
    }

    /** Starts the load. */
    @Setup
    public void start() {
        load = new SteadyLoad(LiveTimers.valueOf(timers).start(), rate, rate * secondsAhead);
        parked = new SteadyLoad(LiveTimers.PARKED.start(), PARKED_RATE, PARKED_RATE);
    }

    /** Stops it. */
    @TearDown
    public void stop() throws InterruptedException {
        load.close();
        parked.close();
    }

    /** A second of it. */
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
