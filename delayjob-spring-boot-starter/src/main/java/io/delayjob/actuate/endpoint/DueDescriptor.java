package io.delayjob.actuate.endpoint;

import io.delayjob.store.DueCounts;
import io.delayjob.store.DueSpan;
import io.delayjob.store.Precision;
import java.time.Duration;
import java.time.Instant;
import java.util.Comparator;
import java.util.List;
import org.springframework.boot.actuate.endpoint.OperationResponseBody;

/**
 * The number of jobs that become due in each bucket of time.
 *
 * @param due number of unfinished jobs in each bucket
 * @param handlers numbers by handler, the largest sum first
 */
record DueDescriptor(
        Instant from,
        Duration width,
        int lookedAt,
        List<Long> due,
        List<Precision> precision,
        List<HandlerShare> handlers)
        implements OperationResponseBody {

    private static final int MAX_HANDLERS = 12;

    private static final Duration NARROWEST = Duration.ofSeconds(1);

    private static final Duration WIDEST = Duration.ofDays(1);

    private static final int DEFAULT_BUCKETS = 60;

    record HandlerShare(String name, List<Long> due) {

        private long sum() {
            return due.stream().mapToLong(Long::longValue).sum();
        }
    }

    static DueSpan span(RequestParameters request, Instant now) {
        request.only("from", "width", "buckets");
        Duration stated = request.duration("width");
        Duration width = stated == null ? Duration.ofMinutes(1) : stated;
        if (width.compareTo(NARROWEST) < 0 || width.compareTo(WIDEST) > 0) {
            throw new IllegalArgumentException(
                    "Invalid width '%s': must be from 1s to 1d.".formatted(request.text("width")));
        }
        Integer buckets = request.number("buckets", 1, DueSpan.MAX_BUCKETS, "; for a longer span, use a greater width");
        Instant from = request.instant("from");
        long begin = (from == null ? now : from).toEpochMilli();
        return new DueSpan(
                Instant.ofEpochMilli(begin - Math.floorMod(begin, width.toMillis())),
                width,
                buckets == null ? DEFAULT_BUCKETS : buckets);
    }

    static DueDescriptor of(DueSpan span, DueCounts counts) {
        return new DueDescriptor(
                span.from(),
                span.width(),
                counts.lookedAt(),
                counts.due(),
                counts.precision(),
                counts.byName().entrySet().stream()
                        .map(each -> new HandlerShare(each.getKey(), each.getValue()))
                        .sorted(Comparator.comparingLong(HandlerShare::sum)
                                .reversed()
                                .thenComparing(HandlerShare::name))
                        .limit(MAX_HANDLERS)
                        .toList());
    }
}
