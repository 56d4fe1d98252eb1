package io.delayjob.redis;

import io.delayjob.job.JobId;
import io.delayjob.job.Partition;
import java.util.ArrayList;
import java.util.Collections;
import java.util.Comparator;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.UUID;
import java.util.stream.Collectors;
import java.util.stream.IntStream;

/** Reads sorted sets of ids, in the order of (score, id) or in reverse. Thread-safe. */
final class SortedEntries {

    static final JobId FIRST_ID = new JobId(new UUID(0, 0));

    private final RedisLink link;
    private final Keyspace keys;

    record Entry(long score, JobId id) implements Comparable<Entry> {

        private static final Comparator<Entry> ORDER =
                Comparator.comparingLong(Entry::score).thenComparing(Entry::id);

        @Override
        public int compareTo(Entry other) {
            return ORDER.compare(this, other);
        }
    }

    record Place(int slot, String key, long score, JobId id) {}

    SortedEntries(RedisLink link, Keyspace keys) {
        this.link = link;
        this.keys = keys;
    }

    /** Returns the entries after each place, beginning with the nearest entry. Scores are at most {@code until}. */
    List<List<Entry>> after(List<Place> places, long until, int limit) {
        return read(places, "up", until, limit);
    }

    /**
     * Returns the entries before each place that have a score of at least {@code from}, beginning with the nearest
     * entry.
     */
    List<List<Entry>> before(List<Place> places, long from, int limit) {
        List<List<Entry>> pages = new ArrayList<>();
        for (List<Entry> page : read(places, "down", from, limit)) {
            List<Entry> reversed = new ArrayList<>(page);
            Collections.reverse(reversed);
            pages.add(reversed);
        }
        return pages;
    }

    private List<List<Entry>> read(List<Place> places, String direction, long last, int limit) {
        Map<Integer, List<Integer>> bySlot = new LinkedHashMap<>();
        for (int i = 0; i < places.size(); i++) {
            bySlot.computeIfAbsent(places.get(i).slot, slot -> new ArrayList<>())
                    .add(i);
        }
        List<RedisLink.Answer<List<Object>>> answers = new ArrayList<>();
        for (List<Integer> indexes : bySlot.values()) {
            List<String> sets = new ArrayList<>();
            List<byte[]> arguments =
                    new ArrayList<>(List.of(Bytes.of(direction), Bytes.of(Integer.toString(limit)), score(last)));
            for (int index : indexes) {
                Place place = places.get(index);
                sets.add(place.key);
                arguments.add(score(place.score));
                arguments.add(Bytes.of(Keyspace.member(place.id)));
            }
            answers.add(link.run(LuaScript.PAGE, sets, arguments));
        }
        List<List<Entry>> pages = new ArrayList<>(Collections.nCopies(places.size(), List.of()));
        int slot = 0;
        for (List<Integer> indexes : bySlot.values()) {
            List<Object> answer = link.await("reading pages of jobs", answers.get(slot++));
            for (int i = 0; i < indexes.size(); i++) {
                pages.set(indexes.get(i), entries(answer.get(i)));
            }
        }
        return pages;
    }

    private static byte[] score(long millis) {
        if (millis == Long.MIN_VALUE || millis == Long.MAX_VALUE) {
            return Bytes.of(millis < 0 ? "-inf" : "+inf");
        }
        return Bytes.of(Long.toString(millis));
    }

    @SuppressWarnings("unchecked")
    private static List<Entry> entries(Object answer) {
        List<byte[]> parts = (List<byte[]>) answer;
        List<Entry> entries = new ArrayList<>();
        for (int i = 0; i < parts.size(); i += 2) {
            long score = millis(parts.get(i));
            Keyspace.ids(parts.get(i + 1)).forEach(id -> entries.add(new Entry(score, id)));
        }
        return entries;
    }

    /** Scores of realistic times contain only digits, so {@link Double#parseDouble} is rarely needed. */
    private static long millis(byte[] score) {
        long millis = 0;
        for (byte digit : score) {
            if (digit < '0' || digit > '9') {
                return (long) Double.parseDouble(Bytes.text(score));
            }
            millis = 10 * millis + (digit - '0');
        }
        return millis;
    }

    /** Returns the partitions that were ever used, by slot. */
    Map<Integer, Set<Partition>> partitions() {
        List<Integer> slots = IntStream.range(0, keys.slots()).boxed().toList();
        List<Set<byte[]>> members =
                link.askAll("reading the partitions", slots, (redis, slot) -> redis.smembers(keys.partitions(slot)));
        Map<Integer, Set<Partition>> partitions = new HashMap<>();
        for (int slot : slots) {
            partitions.put(
                    slot, members.get(slot).stream().map(Keyspace::partition).collect(Collectors.toSet()));
        }
        return partitions;
    }
}
