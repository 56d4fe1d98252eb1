package io.delayjob.schedule;

import java.time.Duration;
import java.util.List;
import java.util.stream.Collectors;

/** Repeats a job at offsets from the origin; the offsets strictly increase. */
record Offsets(List<Duration> offsets) implements Rule {

    static Offsets of(List<Duration> offsets) {
        return new Offsets(Spans.allPositive("offset", offsets));
    }

    Offsets {
        for (int i = 1; i < offsets.size(); i++) {
            if (offsets.get(i).compareTo(offsets.get(i - 1)) <= 0) {
                throw new IllegalArgumentException("Invalid offset " + (i + 1) + " (" + offsets.get(i)
                        + "): must be longer than the previous one (" + offsets.get(i - 1)
                        + "), because all offsets count from the same instant; use finite(...) for gaps between runs");
            }
        }
    }

    @Override
    public long next(long origin, int run, long planned) {
        // A run may have been moved to a time after the next offset.
        return Math.max(origin + offsets.get(run).toMillis(), planned + 1);
    }

    @Override
    public long origin(long start) {
        return start - offsets.get(0).toMillis();
    }

    @Override
    public int runs() {
        return offsets.size();
    }

    @Override
    public String toText() {
        return offsets.stream().map(Duration::toString).collect(Collectors.joining(",", "offsets:", ""));
    }
}
