package io.delayjob.benchmarks.durable;

import io.delayjob.EngineSettings;
import java.time.Duration;
import java.util.concurrent.locks.LockSupport;

/**
 * How late do jobs start? Jobs are scheduled one by one, each in a transaction of its own, at a steady rate, due a fixed time
 * ahead.
 *
 * <p>Arguments: jobs a second (200), seconds (20), milliseconds ahead (50).
 */
public final class LatenessBenchmark {

    private LatenessBenchmark() {}

    public static void main(String[] arguments) throws Exception {
        int rate = argument(arguments, 0, 200);
        int seconds = argument(arguments, 1, 20);
        int aheadMillis = argument(arguments, 2, 50);
        try (BenchDatabase database = BenchDatabase.open()) {
            System.out.printf("%s; %d jobs/s for %d s, %d ms ahead%n", database.version(), rate, seconds, aheadMillis);
            System.out.println(run(database, rate, seconds, Duration.ofMillis(aheadMillis)));
        }
    }

    static int argument(String[] arguments, int index, int otherwise) {
        return arguments.length > index ? Integer.parseInt(arguments[index]) : otherwise;
    }

    static Lateness.Summary run(BenchDatabase database, int rate, int seconds, Duration ahead) throws Exception {
        int warmUp = rate * 3;
        int jobs = rate * seconds;
        Lateness warming = new Lateness(warmUp);
        try (BenchEngine engine = started(database, warming)) {
            schedule(engine, warmUp, rate, Duration.ofMillis(50));
            warming.await(Duration.ofSeconds(30));
        }
        Lateness lateness = new Lateness(jobs);
        try (BenchEngine engine = started(database, lateness)) {
            schedule(engine, jobs, rate, ahead);
            lateness.await(ahead.plusSeconds(30));
        }
        return lateness.summary();
    }

    private static BenchEngine started(BenchDatabase database, Lateness lateness) throws Exception {
        EngineSettings settings = EngineSettings.defaults("bench#" + System.nanoTime());
        BenchEngine engine = new BenchEngine(database.dataSource(), settings, lateness);
        engine.start();
        long deadline = System.nanoTime() + Duration.ofSeconds(30).toNanos();
        while (!engine.leads(settings.partitions()) && System.nanoTime() - deadline < 0) {
            LockSupport.parkNanos(1_000_000);
        }
        return engine;
    }

    /** At a steady rate, whatever a single call takes: a slow call is followed by quick ones. */
    private static void schedule(BenchEngine engine, int jobs, int rate, Duration ahead) {
        long start = System.nanoTime();
        for (int i = 0; i < jobs; i++) {
            long due = start + i * (1_000_000_000L / rate);
            long pause;
            while ((pause = due - System.nanoTime()) > 0) {
                LockSupport.parkNanos(pause);
            }
            engine.jobs().schedule(BenchEngine.NOOP).after(ahead);
        }
    }
}
