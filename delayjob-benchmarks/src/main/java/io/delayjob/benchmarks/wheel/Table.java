package io.delayjob.benchmarks.wheel;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.EnumMap;
import java.util.Map;
import org.openjdk.jmh.runner.Runner;
import org.openjdk.jmh.runner.RunnerException;

/**
 * Runs all measurements, prints tables, and says whether our timer meets its limits. An interrupted run continues where
 * it stopped. To measure a part again, delete its file.
 */
public final class Table {

    private static final Duration LONG_ENOUGH = Duration.ofDays(1);

    private final Path directory;

    private Table(Path directory) {
        this.directory = directory;
    }

    /**
     * @param arguments first the directory for the figures (default {@code wheel-<version of the JDK>}); then the time
     *     within which new measurements may begin, such as {@code PT2M} (default: no limit)
     */
    public static void main(String[] arguments) throws IOException, RunnerException {
        int jdk = Runtime.version().feature();
        Table table = new Table(Path.of(arguments.length > 0 ? arguments[0] : "wheel-" + jdk));
        Duration budget = arguments.length > 1 ? Duration.parse(arguments[1]) : LONG_ENOUGH;
        if (table.measure(System.nanoTime() + budget.toNanos())) {
            table.print();
        } else {
            System.out.println("There is more to measure: run it again.");
        }
    }

    private boolean measure(long until) throws IOException, RunnerException {
        Files.createDirectories(directory);
        for (Part part : Part.values()) {
            for (String timers : part.timers()) {
                if (Files.notExists(Results.file(directory, part, timers))) {
                    if (System.nanoTime() - until > 0) {
                        return false;
                    }
                    measure(part, timers);
                }
            }
        }
        return true;
    }

    private void measure(Part part, String timers) throws IOException, RunnerException {
        long begin = System.nanoTime();
        Cell cell = Cell.of(new Runner(part.options(timers)).run());
        Files.write(Results.file(directory, part, timers), cell.toLines());
        System.out.printf("%-14s %-12s in %4.1f s %s%n", part, timers, (System.nanoTime() - begin) / 1e9, cell);
    }

    private void print() throws IOException {
        Map<Part, Results> all = new EnumMap<>(Part.class);
        for (Part part : Part.values()) {
            all.put(part, Results.read(directory, part));
        }
        System.out.printf("%n| axis | bar | ours | the bar's amount | |%n| --- | --- | --- | --- | --- |%n");
        for (Bar bar : Bar.ALL) {
            System.out.println(bar.judge(all));
        }
        all.forEach((part, results) -> {
            System.out.printf("%n%s%n", part.title());
            results.cells().forEach((timers, cell) -> System.out.printf("| %s | %s |%n", timers, cell));
        });
    }
}
