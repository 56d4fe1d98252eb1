package io.delayjob.test;

import io.delayjob.job.JobId;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/** The events of a simulation, in order, and a hash of them. */
final class History {

    private record Line(
            long nanos, String where, String what, @Nullable JobId job, long detail) {

        @Override
        public String toString() {
            return "%10.3f s  %-6s %-28s %s %s"
                    .formatted(nanos / 1e9, where, what, job == null ? "" : job, detail == 0 ? "" : detail);
        }
    }

    private static final long PRIME = 0x100_0000_01B3L;

    private final VirtualClock truth;
    private final List<Line> lines = new ArrayList<>();
    private long digest = 0xCBF2_9CE4_8422_2325L;

    History(VirtualClock truth) {
        this.truth = truth;
    }

    void note(String where, String what, @Nullable JobId job, long detail) {
        Line line = new Line(truth.nanoTime(), where, what, job, detail);
        lines.add(line);
        mix(line.nanos);
        mix(where.hashCode());
        mix(what.hashCode());
        mix(job == null ? 0 : job.value().getLeastSignificantBits());
        mix(detail);
    }

    private void mix(long number) {
        digest = (digest ^ number) * PRIME;
        digest ^= digest >>> 29;
    }

    long digest() {
        return digest;
    }

    /** Returns the events of this job, and the faults around them. */
    Stream<String> about(@Nullable JobId job) {
        return lines.stream()
                .filter(line -> line.job == null || line.job.equals(job))
                .map(Line::toString);
    }
}
