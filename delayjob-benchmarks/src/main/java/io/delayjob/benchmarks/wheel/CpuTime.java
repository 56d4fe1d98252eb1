package io.delayjob.benchmarks.wheel;

import com.sun.management.OperatingSystemMXBean;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.lang.management.ManagementFactory;
import java.nio.file.Files;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.util.stream.Stream;

/**
 * Reads the CPU time of all threads of this process. The JVM counts in steps of 10 ms, which is too coarse for an idle
 * process. On Linux, this class adds up the nanoseconds of each thread.
 */
final class CpuTime {

    private static final Path THREADS = Path.of("/proc/self/task");

    private CpuTime() {}

    static long nanos() {
        if (Files.notExists(THREADS.resolve("../schedstat"))) {
            return ((OperatingSystemMXBean) ManagementFactory.getOperatingSystemMXBean()).getProcessCpuTime();
        }
        try (Stream<Path> threads = Files.list(THREADS)) {
            return threads.mapToLong(CpuTime::ofThread).sum();
        } catch (IOException unreadable) {
            throw new UncheckedIOException(unreadable);
        }
    }

    private static long ofThread(Path thread) {
        try {
            String times = Files.readString(thread.resolve("schedstat"));
            return Long.parseLong(times.substring(0, times.indexOf(' ')));
        } catch (NoSuchFileException ended) {
            return 0;
        } catch (IOException unreadable) {
            throw new UncheckedIOException(unreadable);
        }
    }
}
