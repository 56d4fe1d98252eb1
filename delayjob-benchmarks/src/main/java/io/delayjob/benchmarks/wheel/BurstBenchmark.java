package io.delayjob.benchmarks.wheel;

import java.util.concurrent.CountDownLatch;
import java.util.concurrent.ThreadLocalRandom;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import org.openjdk.jmh.annotations.AuxCounters;
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
import org.openjdk.jmh.annotations.TearDown;
import org.openjdk.jmh.annotations.Warmup;

/** Fires very many timers that become due within one second. JMH's secondary result is the CPU time for each timer. */
@BenchmarkMode(Mode.SingleShotTime)
@OutputTimeUnit(TimeUnit.MILLISECONDS)
@Warmup(iterations = 1)
@Measurement(iterations = 4)
@Fork(
        value = 2,
        jvmArgsAppend = {"-Xms4g", "-Xmx4g", "-XX:+UseParallelGC"})
@State(Scope.Benchmark)
public class BurstBenchmark {

    private static final long SECOND = 1_000_000_000L;
    private static final long TO_SCHEDULE_ONE = 1_000;

    @Param({"DELAYJOB", "NETTY", "KAFKA", "AGRONA", "EXECUTOR", "JAVA_TIMER", "DELAY_QUEUE"})
    public String timers = "DELAYJOB";

    @Param("1000000")
    public int size;

    private LiveTimer timer = LiveTimers.NONE.start();
    private CountDownLatch allFired = new CountDownLatch(0);

    @State(Scope.Thread)
    @AuxCounters(AuxCounters.Type.EVENTS)
    public static class Cost {

        /** CPU nanoseconds per timer, on all processors together. */
        public double cpuPerTimer;
    }

    @Setup(Level.Iteration)
    public void fill() {
        timer = LiveTimers.valueOf(timers).start();
        CountDownLatch latch = new CountDownLatch(1);
        AtomicInteger left = new AtomicInteger(size);
        Runnable task = () -> {
            if (left.decrementAndGet() == 0) {
                latch.countDown();
            }
        };
        allFired = latch;
        long begin = System.nanoTime() + SECOND + size * TO_SCHEDULE_ONE;
        for (int i = 0; i < size; i++) {
            long deadline = begin + ThreadLocalRandom.current().nextLong(SECOND);
            timer.schedule(task, deadline - System.nanoTime());
        }
        if (left.get() < size) {
            throw new IllegalStateException(
                    "%d of %d timers fired before all were scheduled: this machine is too slow for this measurement"
                            .formatted(size - left.get(), size));
        }
    }

    @TearDown(Level.Iteration)
    public void close() {
        timer.close();
    }

    /** The measured time begins when the last timer is scheduled, and ends when all timers have fired. */
    @Benchmark
    public void burst(Cost cost) throws InterruptedException {
        long before = CpuTime.nanos();
        allFired.await();
        cost.cpuPerTimer = (CpuTime.nanos() - before) / (double) size;
    }
}
