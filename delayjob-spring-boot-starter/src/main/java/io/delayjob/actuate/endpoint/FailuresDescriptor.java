package io.delayjob.actuate.endpoint;

import io.delayjob.store.FailureGroup;
import io.delayjob.store.FailureGroups;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Objects;
import org.jspecify.annotations.Nullable;
import org.springframework.boot.actuate.endpoint.OperationResponseBody;

/**
 * The dead letters of a time span, grouped by handler and type of failure.
 *
 * @param since exclusive
 * @param until inclusive
 * @param lookedAt number of dead letters that were read; delayjob reads the newest dead letters of the span
 */
record FailuresDescriptor(
        Instant since,
        Instant until,
        Duration width,
        int lookedAt,
        boolean complete,
        Duration retention,
        List<GroupDescriptor> groups)
        implements OperationResponseBody {

    private static final int BUCKETS = 24;

    private static final int MAX_MESSAGE = 500;

    /** A group of dead letters; {@link FailureGroup} describes the fields. */
    record GroupDescriptor(
            String name,
            String error,
            @Nullable String message,
            long count,
            Instant first,
            Instant last,
            List<Long> buckets,
            String newest) {

        static GroupDescriptor of(FailureGroup group) {
            String message = group.message();
            return new GroupDescriptor(
                    group.name(),
                    group.errorType(),
                    message == null || message.length() <= MAX_MESSAGE ? message : message.substring(0, MAX_MESSAGE),
                    group.count(),
                    group.first(),
                    group.last(),
                    group.buckets(),
                    group.newest().toString());
        }
    }

    static FailureGroups.Span span(RequestParameters request, Instant now) {
        request.only("since", "until").stated("since", "must be an instant, such as 2030-01-01T08:00:00Z");
        Instant until = request.instant("until");
        return new FailureGroups.Span(
                Objects.requireNonNull(request.instant("since")), until == null ? now : until, BUCKETS);
    }

    static FailuresDescriptor of(FailureGroups.Span span, FailureGroups failures, Duration retention) {
        return new FailuresDescriptor(
                span.since(),
                span.until(),
                Duration.ofMillis(span.widthMillis()),
                failures.lookedAt(),
                failures.complete(),
                retention,
                failures.groups().stream().map(GroupDescriptor::of).toList());
    }
}
