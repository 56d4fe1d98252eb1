package io.delayjob.benchmarks.wheel;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.Objects;

/** The measurements of all timers in one part of the table, beginning with delayjob's timer. Immutable. */
record Results(Part part, Map<String, Cell> cells) {

    static Results read(Path directory, Part part) throws IOException {
        Map<String, Cell> cells = new LinkedHashMap<>();
        for (String timers : part.timers()) {
            cells.put(timers, Cell.ofLines(Files.readAllLines(file(directory, part, timers))));
        }
        return new Results(part, cells);
    }

    static Path file(Path directory, Part part, String timers) {
        return directory.resolve(part + "-" + timers);
    }

    Estimate estimate(String timers, String measurement) {
        return Objects.requireNonNull(cells.get(timers), timers).estimate(measurement);
    }
}
