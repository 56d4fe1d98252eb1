package io.delayjob.benchmarks.durable;

import com.sun.management.OperatingSystemMXBean;
import io.delayjob.benchmarks.durable.CountingDataSource.Counts;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.lang.management.ManagementFactory;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;

/**
 * The cost of a measurement.
 *
 * @param walBytes number of bytes of write-ahead log that the server has written
 * @param serverCpu CPU time of the server's processes; zero if they are not on this machine
 */
record Meter(long nanos, Counts counts, long walBytes, Duration ownCpu, Duration serverCpu) {

    /** Linux counts CPU time in hundredths of a second. */
    private static final long MILLIS_PER_TICK = 10;

    static Meter read(BenchmarkDatabase database) {
        long wal = Long.parseLong(database.text("SELECT (pg_current_wal_insert_lsn() - '0/0')::BIGINT"));
        long own =
                ManagementFactory.getPlatformMXBean(OperatingSystemMXBean.class).getProcessCpuTime();
        return new Meter(
                System.nanoTime(), database.dataSource().counts(), wal, Duration.ofNanos(own), serverCpu(database));
    }

    Meter since(Meter before) {
        return new Meter(
                nanos - before.nanos,
                counts.since(before.counts),
                walBytes - before.walBytes,
                ownCpu.minus(before.ownCpu),
                serverCpu.minus(before.serverCpu));
    }

    double seconds() {
        return nanos / 1e9;
    }

    List<Figure> perJob(int jobs) {
        return List.of(
                new Figure("%.3f statements", counts.statements() / (double) jobs),
                new Figure("%,.0f bytes of WAL", walBytes / (double) jobs),
                new Figure("CPU %.1f us", ownCpu.toNanos() / 1e3 / jobs),
                new Figure("the server's CPU %.1f us per job", serverCpu.toNanos() / 1e3 / jobs));
    }

    private static Duration serverCpu(BenchmarkDatabase database) {
        if (!database.isLocal()) {
            return Duration.ZERO;
        }
        try {
            Path directory = Path.of(database.text("SHOW data_directory"));
            long postmaster = Long.parseLong(Files.readAllLines(directory.resolve("postmaster.pid"))
                    .get(0)
                    .strip());
            long ticks = ticks(postmaster, true)
                    + ProcessHandle.of(postmaster).stream()
                            .flatMap(ProcessHandle::children)
                            .mapToLong(child -> ticks(child.pid(), false))
                            .sum();
            return Duration.ofMillis(ticks * MILLIS_PER_TICK);
        } catch (IOException unreadable) {
            throw new UncheckedIOException(unreadable);
        }
    }

    /** Fields 14 and 15 are the CPU time of the process. Fields 16 and 17 are the CPU time of its ended children. */
    private static long ticks(long pid, boolean withChildren) {
        try {
            String state = Files.readString(Path.of("/proc/" + pid + "/stat"));
            String[] fields = state.substring(state.lastIndexOf(')') + 2).split(" ");
            long own = Long.parseLong(fields[11]) + Long.parseLong(fields[12]);
            return withChildren ? own + Long.parseLong(fields[13]) + Long.parseLong(fields[14]) : own;
        } catch (IOException hasEnded) {
            return 0;
        }
    }
}
