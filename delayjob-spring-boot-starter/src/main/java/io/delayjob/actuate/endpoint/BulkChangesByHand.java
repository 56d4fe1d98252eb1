package io.delayjob.actuate.endpoint;

import io.delayjob.BulkChange;
import io.delayjob.BulkPage;
import io.delayjob.DelayJobOperations;
import io.delayjob.job.JobState;
import io.delayjob.store.JobQuery;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Objects;
import java.util.TreeMap;
import java.util.stream.Stream;

/** Changes a selection of jobs page by page. Each page is changed in one transaction. Thread-safe. */
final class BulkChangesByHand {

    private static final String ACTIONS = "retry, cancel or reschedule";

    /** A running job is cancelled only by its id, so that the caller sees which job it is. */
    private static final List<JobState> WAITING = List.of(JobState.DELAYED, JobState.READY);

    private final DelayJobOperations operations;
    private final AuditTrail trail;

    BulkChangesByHand(DelayJobOperations operations, AuditTrail trail) {
        this.operations = operations;
        this.trail = trail;
    }

    BulkDescriptor change(RequestParameters request, Caller caller) {
        request.only(
                "action", "state", "name", "key", "queue", "error", "label", "group", "payload", "from", "until",
                "seen", "delay", "spread", "limit", "after");
        BulkChange.Kind kind = kind(request.stated("action", "must be " + ACTIONS));
        Instant seen = instantSeen(request);
        JobQuery query = selection(request, kind, seen);
        BulkChange change = new BulkChange(kind, query, delay(kind, request), spread(kind, request), seen);
        BulkPage page = trail.of(
                caller,
                new AuditTrail.Change(
                        kind.name().toLowerCase(Locale.ROOT),
                        "selection",
                        query.filter().toString(),
                        detail(change)),
                () -> operations.changePage(change),
                done -> AuditTrail.Outcome.of(done.changed(), done.skipped(), done.next() != null));
        return BulkDescriptor.of(page);
    }

    private static Map<String, Object> detail(BulkChange change) {
        Map<String, Object> detail = new TreeMap<>();
        if (!change.delay().isZero()) {
            detail.put("delay", change.delay().toString());
        }
        if (!change.spread().isZero()) {
            detail.put("spread", change.spread().toString());
        }
        return detail;
    }

    private static BulkChange.Kind kind(String action) {
        return Stream.of(BulkChange.Kind.values())
                .filter(kind -> kind.name().toLowerCase(Locale.ROOT).equals(action))
                .findFirst()
                .orElseThrow(() ->
                        new IllegalArgumentException("Invalid action '%s': must be %s.".formatted(action, ACTIONS)));
    }

    private static Instant instantSeen(RequestParameters request) {
        request.stated("seen", "must be the time of the page that was shown; younger jobs are left unchanged");
        return Objects.requireNonNull(request.instant("seen"));
    }

    private static JobQuery selection(RequestParameters request, BulkChange.Kind kind, Instant seen) {
        List<JobState> states = kind == BulkChange.Kind.RETRY ? List.of(JobState.FAILED) : WAITING;
        request.stated("state", "must be one of " + states);
        JobQuery query = RequestedJobs.selection(request);
        if (!states.contains(query.state())) {
            throw new IllegalArgumentException("Invalid state '%s' to %s: must be one of %s."
                    .formatted(query.state(), kind.name().toLowerCase(Locale.ROOT), states));
        }
        if (Stream.of("name", "key", "queue", "error", "label", "group", "payload", "from", "until")
                .allMatch(name -> request.text(name) == null)) {
            throw new IllegalArgumentException(
                    "The selection contains every job in state %s. Limit the selection by name, key, queue, error, label, group, payload, from or until."
                            .formatted(query.state()));
        }
        if (query.state() == JobState.FAILED
                && (query.filter().until() == null
                        || seen.isBefore(query.filter().until()))) {
            query = query.until(seen.plusMillis(1));
        }
        Integer limit =
                request.number("limit", 1, JobQuery.MAX_LIMIT, "; to continue, send after=<next of the answer>");
        query = query.limit(limit == null ? JobQuery.MAX_LIMIT : limit).lookAt(JobQuery.MAX_LOOK);
        return RequestedJobs.behind(query, request.text("after"));
    }

    private static Duration delay(BulkChange.Kind kind, RequestParameters request) {
        if (kind == BulkChange.Kind.RESCHEDULE) {
            request.stated("delay", "must be a duration, such as 2h; use 0s to run the jobs now");
        }
        return duration(kind, request, "delay");
    }

    private static Duration spread(BulkChange.Kind kind, RequestParameters request) {
        return duration(kind, request, "spread");
    }

    private static Duration duration(BulkChange.Kind kind, RequestParameters request, String name) {
        if (kind == BulkChange.Kind.CANCEL) {
            refuse(request, name);
        }
        return Objects.requireNonNullElse(request.duration(name), Duration.ZERO);
    }

    private static void refuse(RequestParameters request, String name) {
        String value = request.text(name);
        if (value != null) {
            throw new IllegalArgumentException(
                    "Invalid %s '%s': must be left out, because a cancellation takes effect at once."
                            .formatted(name, value));
        }
    }
}
