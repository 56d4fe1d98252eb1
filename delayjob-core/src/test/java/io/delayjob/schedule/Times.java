package io.delayjob.schedule;

import java.time.Instant;
import java.time.LocalDateTime;
import java.time.ZoneId;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;

/** What tests say about planned times. */
final class Times {

    /** In the middle of nothing: no clock changes anywhere near. */
    static final Instant T0 = Instant.parse("2026-01-15T10:00:00Z");

    private Times() {}

    /** The first runs of an undisturbed job, at most {@code limit} of them. */
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

    /** The local times that planned times show on a clock there. */
    static List<String> local(List<Instant> instants, String zone) {
        return instants.stream()
                .map(instant ->
                        instant.atZone(ZoneId.of(zone)).toLocalDateTime().toString())
                .toList();
    }
}
