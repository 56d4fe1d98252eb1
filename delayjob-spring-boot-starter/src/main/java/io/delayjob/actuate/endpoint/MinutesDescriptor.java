package io.delayjob.actuate.endpoint;

import io.delayjob.store.MinuteCounts;
import io.delayjob.store.MinuteRow;
import io.delayjob.store.MinuteSpan;
import io.delayjob.store.MinuteSum;
import java.time.Duration;
import java.time.Instant;
import java.util.Arrays;
import java.util.Comparator;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import org.springframework.boot.actuate.endpoint.OperationResponseBody;

/**
 * The statistics of the latest minutes. If the store keeps no statistics, the numbers come only from the instance that
 * answers the request.
 *
 * @param retention how long numbers are kept; zero if nothing is counted
 * @param bounds upper bounds of lateness, each inclusive
 * @param retried number of failed attempts that did not end their job
 * @param late numbers of starts by lateness: up to the first bound, between neighbouring bounds, above the last bound
 * @param handlers the numbers of each handler; the handler with the most starts comes first
 */
record MinutesDescriptor(
        Instant from,
        Duration step,
        Duration retention,
        List<Duration> bounds,
        List<Long> starts,
        List<Long> succeeded,
        List<Long> retried,
        List<Long> failed,
        List<List<Long>> late,
        List<HandlerMinutes> handlers)
        implements OperationResponseBody {

    private static final Duration MINUTE = Duration.ofMinutes(1);

    private static final Duration WIDEST = Duration.ofDays(1);

    record HandlerMinutes(
            String name,
            List<Long> starts,
            List<Long> retried,
            List<Long> failed,
            long ended,
            Duration runTime,
            List<Long> late) {

        private static HandlerMinutes of(String name, MinuteSums sums) {
            return new HandlerMinutes(
                    name,
                    list(sums.starts),
                    list(sums.retried),
                    list(sums.failed),
                    sums.ended(),
                    sums.runTime(),
                    list(sums.lateInAll()));
        }
    }

    static MinuteSpan span(RequestParameters request, Instant now) {
        request.only("from", "until", "step").stated("from", "must be an instant, such as 2030-01-01T08:00:00Z");
        Duration stated = request.duration("step");
        Duration step = stated == null ? MINUTE : stated;
        boolean isWhole = step.equals(Duration.ofMinutes(step.toMinutes()));
        if (!isWhole || step.compareTo(MINUTE) < 0 || step.compareTo(WIDEST) > 0) {
            throw new IllegalArgumentException(
                    "Invalid step '%s': must be whole minutes from 1m to 1d.".formatted(request.text("step")));
        }
        Instant from = Objects.requireNonNull(request.instant("from"));
        Instant statedEnd = request.instant("until");
        Instant until = statedEnd == null ? now : statedEnd;
        if (!from.isBefore(until)) {
            throw new IllegalArgumentException(
                    "Invalid from '%s': must be earlier than until (%s).".formatted(request.text("from"), until));
        }
        long width = step.toSeconds();
        long begin = Math.floorDiv(from.getEpochSecond(), width);
        long last = Math.floorDiv(until.minusNanos(1).getEpochSecond(), width);
        long buckets = last - begin + 1;
        if (buckets > MinuteSpan.MAX_BUCKETS) {
            throw new IllegalArgumentException(
                    "Invalid step '%s': must divide the span into at most %d buckets, but makes %d. Use a greater step or a later from."
                            .formatted(stated == null ? "1m" : request.text("step"), MinuteSpan.MAX_BUCKETS, buckets));
        }
        return new MinuteSpan(Instant.ofEpochSecond(begin * width), step, (int) buckets);
    }

    static MinutesDescriptor of(MinuteSpan span, Duration retention, List<MinuteSum> sums) {
        MinuteSums totals = new MinuteSums(span.buckets());
        Map<String, MinuteSums> byName = new HashMap<>();
        for (MinuteSum sum : sums) {
            totals.add(sum.bucket(), sum.counts());
            if (!sum.name().equals(MinuteRow.OTHERS)) {
                byName.computeIfAbsent(sum.name(), name -> new MinuteSums(span.buckets()))
                        .add(sum.bucket(), sum.counts());
            }
        }
        return new MinutesDescriptor(
                span.from(),
                span.width(),
                retention,
                MinuteCounts.BOUNDS,
                list(totals.starts),
                list(totals.succeeded),
                list(totals.retried),
                list(totals.failed),
                Arrays.stream(totals.late).map(MinutesDescriptor::list).toList(),
                byName.entrySet().stream()
                        .sorted(Comparator.comparingLong((Map.Entry<String, MinuteSums> each) ->
                                        each.getValue().started())
                                .reversed()
                                .thenComparing(Map.Entry.comparingByKey()))
                        .map(each -> HandlerMinutes.of(each.getKey(), each.getValue()))
                        .toList());
    }

    private static List<Long> list(long[] numbers) {
        return Arrays.stream(numbers).boxed().toList();
    }
}
