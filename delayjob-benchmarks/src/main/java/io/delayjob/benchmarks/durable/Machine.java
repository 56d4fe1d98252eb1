package io.delayjob.benchmarks.durable;

import java.io.IOException;
import java.lang.management.ManagementFactory;
import java.nio.file.Files;
import java.nio.file.Path;

/** Describes the machine of a measurement, because figures mean little without it. */
final class Machine {

    private Machine() {}

    static String describe() {
        return "%d x %s, %d MiB heap at most, %s %s, JDK %s, load average %.1f"
                .formatted(
                        Runtime.getRuntime().availableProcessors(),
                        processor(),
                        Runtime.getRuntime().maxMemory() >> 20,
                        System.getProperty("os.name"),
                        System.getProperty("os.version"),
                        System.getProperty("java.version"),
                        ManagementFactory.getOperatingSystemMXBean().getSystemLoadAverage());
    }

    private static String processor() {
        try (var lines = Files.lines(Path.of("/proc/cpuinfo"))) {
            return lines.filter(line -> line.startsWith("model name"))
                    .map(line -> line.substring(line.indexOf(':') + 1).strip())
                    .findFirst()
                    .orElse(System.getProperty("os.arch"));
        } catch (IOException notLinux) {
            return System.getProperty("os.arch");
        }
    }
}
