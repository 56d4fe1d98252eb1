package io.delayjob.schedule;

import java.time.Instant;
import java.time.LocalDateTime;
import java.time.ZoneId;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;

/** Helper methods for tests of planned times. */
final class Times {

    /** A time that is far from every change of a clock. */
    static final Instant T0 = Instant.parse("2026-01-15T10:00:00Z");

    private Times() {}

    /** Returns the planned times of the first runs of a job, at most {@code limit}. */
    static List<Instant> runs(Schedule schedule, Instant scheduledAt, int limit) {
        List<Instant> runs = new ArrayList<>();
        Optional<Instant> next = schedule.first(scheduledAt);
        while (next.isPresent() && runs.size() < limit) {
            runs.add(next.get());
            next = schedule.next(scheduledAt, runs.size(), next.get());
        }
        return runs;
    }

    static Instant at(String localDateTime, String zone) {
        return LocalDateTime.parse(localDateTime).atZone(ZoneId.of(zone)).toInstant();
    }

    /** Returns the local times of planned times in that zone. */
    static List<String> local(List<Instant> instants, String zone) {
        return instants.stream()
                .map(instant ->
                        instant.atZone(ZoneId.of(zone)).toLocalDateTime().toString())
                .toList();
    }
}
