package io.delayjob.memory;

import io.delayjob.store.MinuteCounts;
import io.delayjob.store.MinuteRow;
import io.delayjob.store.MinuteSpan;
import io.delayjob.store.MinuteSum;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.NavigableMap;
import java.util.TreeMap;

/** Stores the statistics of each minute for a {@link MemoryJobStore}. Thread-safe. */
final class MemoryMinutes {

    /** Only minutes in which a job ran are counted. */
    static final int MAX_MINUTES = (int) Duration.ofDays(7).toMinutes();

    private static final Duration CHUNK = Duration.ofHours(1);

    private record Place(long owner, String name) {}

    private record Group(int bucket, String name) {}

    private final NavigableMap<Instant, Map<Place, MinuteCounts>> minutes = new TreeMap<>();

    synchronized void record(long owner, List<MinuteRow> rows) {
        for (MinuteRow row : rows) {
            minutes.computeIfAbsent(row.minute(), minute -> new HashMap<>())
                    .putIfAbsent(new Place(owner, row.name()), row.counts());
        }
        while (minutes.size() > MAX_MINUTES) {
            minutes.pollFirstEntry();
        }
    }

    synchronized List<MinuteSum> sums(MinuteSpan span) {
        Map<Group, MinuteCounts> sums = new HashMap<>();
        minutes.subMap(span.from(), span.until())
                .forEach((minute, places) -> places.forEach((place, counts) ->
                        sums.merge(new Group(span.bucketOf(minute), place.name), counts, MinuteCounts::plus)));
        List<MinuteSum> answer = new ArrayList<>();
        sums.forEach((group, counts) -> answer.add(new MinuteSum(group.bucket, group.name, counts)));
        return answer;
    }

    synchronized boolean purge(Instant before) {
        if (minutes.isEmpty() || !minutes.firstKey().isBefore(before)) {
            return false;
        }
        Instant end = minutes.firstKey().plus(CHUNK);
        minutes.headMap(end.isBefore(before) ? end : before).clear();
        return end.isBefore(before);
    }
}
