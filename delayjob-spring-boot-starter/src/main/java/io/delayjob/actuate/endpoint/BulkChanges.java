package io.delayjob.actuate.endpoint;

import io.delayjob.DelayJobOperations;
import io.delayjob.job.CancelResult;
import io.delayjob.job.ChangeResult;
import io.delayjob.job.Job;
import io.delayjob.job.JobState;
import io.delayjob.job.Printable;
import io.delayjob.store.JobCursor;
import io.delayjob.store.JobPage;
import io.delayjob.store.JobQuery;
import io.delayjob.store.StoreException;
import io.delayjob.time.EngineClock;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.function.BiPredicate;
import java.util.stream.Stream;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Changes a selection of jobs, a page per call. Each job is changed in a short transaction of its own, and a call takes
 * no longer than two seconds. The answer says where the next call continues. Thread-safe.
 */
final class BulkChanges {

    private static final Logger log = LoggerFactory.getLogger(BulkChanges.class);

    private static final long MAX_NANOS = Duration.ofSeconds(2).toNanos();

    private static final String ACTIONS = "retry, cancel or reschedule";

    /** States of the jobs that each action can change. */
    private static final Map<String, List<JobState>> STATES = Map.of(
            "retry", List.of(JobState.FAILED),
            "cancel", List.of(JobState.DELAYED, JobState.READY),
            "reschedule", List.of(JobState.DELAYED, JobState.READY));

    /** Results of a cancel if another caller was faster. */
    private static final List<CancelResult> GONE = List.of(CancelResult.ALREADY_ENDED, CancelResult.NOT_FOUND);

    private final DelayJobOperations operations;
    private final EngineClock clock;

    BulkChanges(DelayJobOperations operations, EngineClock clock) {
        this.operations = operations;
        this.clock = clock;
    }

    /**
     * @throws IllegalArgumentException if a parameter is missing or cannot be read; the message names the HTTP
     * parameter
     */
    BulkDescriptor change(RequestParameters request, String principal) {
        long begin = clock.nanoTime();
        request.only(
                "action", "state", "name", "key", "queue", "error", "from", "until", "seen", "delay", "spread", "limit",
                "after");
        String action = request.stated("action", "must be " + ACTIONS);
        Instant seen = instantSeen(request);
        JobQuery query = selection(request, action, seen);
        BiPredicate<Job, Duration> change = change(action, request);
        Duration delay = Objects.requireNonNullElse(request.duration("delay"), Duration.ZERO);
        Duration spread = Objects.requireNonNullElse(request.duration("spread"), Duration.ZERO);

        JobPage page = operations.find(query);
        int changed = 0;
        int skipped = 0;
        JobCursor next = page.next();
        Duration distance = spread.dividedBy(Math.max(1, page.jobs().size()));
        for (int place = 0; place < page.jobs().size(); place++) {
            Job job = page.jobs().get(place);
            if (isYounger(job, seen)) {
                continue;
            }
            try {
                if (change.test(job, delay.plus(distance.multipliedBy(place)))) {
                    changed++;
                } else {
                    skipped++;
                }
            } catch (StoreException away) {
                if (changed + skipped == 0) {
                    throw away;
                }
                // Reports the changes so far; the next call continues from there.
                next = query.behind(page.jobs().get(place - 1));
                break;
            }
            boolean isLast = place == page.jobs().size() - 1;
            if (!isLast && clock.nanoTime() - begin > MAX_NANOS) {
                next = query.behind(job);
                break;
            }
        }
        log.info(
                "Jobs ({}): '{}' by {} through the endpoint: {} changed, {} skipped{}.",
                Printable.of(query.filter().toString()),
                action,
                Printable.of(principal),
                changed,
                skipped,
                next == null ? "" : ", more to come");
        return new BulkDescriptor(changed, skipped, next == null ? null : next.toString(), page.lookedAt());
    }

    private static Instant instantSeen(RequestParameters request) {
        request.stated("seen", "must be the time of the page that was shown; younger jobs are left unchanged");
        return Objects.requireNonNull(request.instant("seen"));
    }

    private static JobQuery selection(RequestParameters request, String action, Instant seen) {
        List<JobState> states = STATES.get(action);
        if (states == null) {
            throw new IllegalArgumentException("Invalid action '%s': must be %s.".formatted(action, ACTIONS));
        }
        request.stated("state", "must be one of " + states);
        JobQuery query = RequestedJobs.selection(request);
        if (!states.contains(query.state())) {
            throw new IllegalArgumentException(
                    "Invalid state '%s' to %s: must be one of %s.".formatted(query.state(), action, states));
        }
        if (Stream.of("name", "key", "queue", "error", "from", "until").allMatch(name -> request.text(name) == null)) {
            throw new IllegalArgumentException(
                    "The selection contains every job that is %s: limit it by name, key, queue, error, from or until."
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

    private static boolean isYounger(Job job, Instant seen) {
        return job.scheduledAt().isAfter(seen);
    }

    private BiPredicate<Job, Duration> change(String action, RequestParameters request) {
        if (action.equals("cancel")) {
            refuse(request, "delay");
            refuse(request, "spread");
            return (job, after) -> !GONE.contains(operations.cancel(job.id()));
        }
        if (action.equals("reschedule")) {
            request.stated("delay", "must be a duration, such as 2h; use 0s to run the jobs now");
            return (job, after) -> operations.reschedule(job.id(), after) == ChangeResult.CHANGED;
        }
        return (job, after) -> operations.retry(job.id(), after) == ChangeResult.CHANGED;
    }

    private static void refuse(RequestParameters request, String name) {
        String value = request.text(name);
        if (value != null) {
            throw new IllegalArgumentException(
                    "Invalid %s '%s': must be absent, because a cancellation takes effect at once; remove it."
                            .formatted(name, value));
        }
    }
}
