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
 * What this process has used of the processors: all its threads, those of the JVM included. The JVM counts in steps of
 * 10 ms, too coarse for what idles, so where Linux tells each thread's nanoseconds, these are added up.
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
