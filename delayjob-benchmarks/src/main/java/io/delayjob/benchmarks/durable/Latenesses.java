package io.delayjob.benchmarks.durable;

import java.time.Duration;
import java.util.Arrays;
import java.util.List;
import java.util.stream.Collectors;

/** Keeps every lateness of a run, so that all percentiles are exact. Thread-safe. */
final class Latenesses {

    /** @param earliest smallest lateness; negative if a job was early */
    record Summary(int count, Duration earliest, Duration p50, Duration p99, Duration p999, Duration latest) {

        List<Figure> figures() {
            return List.of(
                    new Figure("p50 %.3f ms", p50.toNanos() / 1e6),
                    new Figure("p99 %.3f ms", p99.toNanos() / 1e6),
                    new Figure("p99.9 %.3f ms", p999.toNanos() / 1e6),
                    new Figure("earliest %.3f ms", earliest.toNanos() / 1e6),
                    new Figure("latest %.3f ms", latest.toNanos() / 1e6),
                    new Figure("%,.0f jobs", count));
        }

        @Override
        public String toString() {
            return figures().stream().map(Figure::toString).collect(Collectors.joining(", "));
        }
    }

    private long[] nanos = new long[1_024];
    private int count;
    private int toSkip;

    Latenesses(int warmUp) {
        this.toSkip = warmUp;
    }

    synchronized void add(Duration lateness) {
        if (toSkip > 0) {
            toSkip--;
            return;
        }
        if (count == nanos.length) {
            nanos = Arrays.copyOf(nanos, 2 * count);
        }
        nanos[count++] = lateness.toNanos();
    }

    synchronized Summary summary() {
        if (count == 0) {
            throw new IllegalStateException("No job has run, so there is no lateness to report.");
        }
        long[] sorted = Arrays.copyOf(nanos, count);
        Arrays.sort(sorted);
        return new Summary(
                count,
                Duration.ofNanos(sorted[0]),
                percentile(sorted, 0.5),
                percentile(sorted, 0.99),
                percentile(sorted, 0.999),
                Duration.ofNanos(sorted[count - 1]));
    }

    private static Duration percentile(long[] sorted, double share) {
        return Duration.ofNanos(sorted[(int) Math.ceil(share * sorted.length) - 1]);
    }
}
