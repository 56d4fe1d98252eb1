package io.delayjob.schedule;

import java.time.Duration;
import java.util.List;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;

/** Repeats a job. A list contains the gaps between the runs. The list is used once, or in an endless cycle. */
record Gaps(List<Duration> gaps, boolean endless) implements Rule {

    static Gaps finite(List<Duration> gaps) {
        return new Gaps(Spans.allPositive("gap", gaps), false);
    }

    static Gaps endless(List<Duration> gaps) {
        return new Gaps(Spans.allPositive("gap", gaps), true);
    }

    static Gaps every(Duration period) {
        return new Gaps(List.of(Spans.positive("period", period)), true);
    }

    @Override
    public long next(long origin, int run, long planned) {
        return planned + gaps.get(run % gaps.size()).toMillis();
    }

    @Override
    public int runs() {
        return endless ? Integer.MAX_VALUE : gaps.size();
    }

    @Override
    public @Nullable Stride strideAfter(int run) {
        return endless
                ? new Stride(
                        gaps.size(), gaps.stream().mapToLong(Duration::toMillis).sum())
                : null;
    }

    @Override
    public String toText() {
        if (endless && gaps.size() == 1) {
            return "every:" + gaps.get(0);
        }
        return gaps.stream().map(Duration::toString).collect(Collectors.joining(",", "gaps:", endless ? "*" : ""));
    }
}
