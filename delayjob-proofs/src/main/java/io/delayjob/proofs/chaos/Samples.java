package io.delayjob.proofs.chaos;

import java.util.Arrays;
import java.util.Map;
import java.util.TreeMap;
import java.util.stream.Collectors;

/** Counts durations in whole milliseconds, so all counts fit into one line of text. Not thread-safe. */
final class Samples {

    private static final String NONE = "-";

    private final TreeMap<Long, Long> counts = new TreeMap<>();

    void add(long millis) {
        counts.merge(millis, 1L, Long::sum);
    }

    void addAll(Samples others) {
        others.counts.forEach((millis, count) -> counts.merge(millis, count, Long::sum));
    }

    long count() {
        return counts.values().stream().mapToLong(Long::longValue).sum();
    }

    /** Returns 0 if there are no samples. */
    long percentile(double share) {
        long wanted = (long) Math.ceil(share * count());
        long seen = 0;
        for (Map.Entry<Long, Long> entry : counts.entrySet()) {
            seen += entry.getValue();
            if (seen >= wanted) {
                return entry.getKey();
            }
        }
        return 0;
    }

    long max() {
        return counts.isEmpty() ? 0 : counts.lastKey();
    }

    /** Pairs of value and count, such as {@code 3*120,4*8}. */
    String toText() {
        return counts.isEmpty()
                ? NONE
                : counts.entrySet().stream()
                        .map(entry -> entry.getKey() + "*" + entry.getValue())
                        .collect(Collectors.joining(","));
    }

    static Samples parse(String text) {
        Samples samples = new Samples();
        if (!text.equals(NONE)) {
            Arrays.stream(text.split(","))
                    .map(sample -> sample.split("\\*"))
                    .forEach(parts -> samples.counts.put(Long.valueOf(parts[0]), Long.valueOf(parts[1])));
        }
        return samples;
    }

    @Override
    public String toString() {
        return "p50 %d ms, p99 %d ms, p99.9 %d ms, maximum %d ms (%,d)"
                .formatted(percentile(0.5), percentile(0.99), percentile(0.999), max(), count());
    }
}
