package io.delayjob.actuate.endpoint;

import io.delayjob.job.JobState;
import io.delayjob.store.JobCursor;
import io.delayjob.store.JobOrder;
import io.delayjob.store.JobQuery;
import java.time.Instant;
import org.jspecify.annotations.Nullable;

/** Reads queries for jobs from the parameters of HTTP requests. */
final class RequestedJobs {

    static final String PAYLOAD = "payload";

    static final String[] PARAMETERS = {
        "state", "name", "key", "queue", "error", "label", "group", PAYLOAD, "from", "until", "order", "limit", "after"
    };

    private RequestedJobs() {}

    static JobQuery page(RequestParameters request) {
        JobQuery query = selection(request.only(PARAMETERS));
        JobOrder order = request.oneOf("order", JobOrder.class);
        query = order == null ? query : ordered(query, order);
        Integer limit = request.number("limit", 1, JobQuery.MAX_LIMIT, "; for more, send after=<next of the page>");
        query = limit == null ? query : query.limit(limit);
        return behind(query, request.text("after"));
    }

    static JobQuery selection(RequestParameters request) {
        JobState state = request.state();
        JobQuery query = state == null ? JobQuery.all() : JobQuery.state(state);
        String name = request.text("name");
        query = name == null ? query : query.name(name);
        String key = request.text("key");
        query = key == null ? query : query.key(key);
        String queue = request.text("queue");
        query = queue == null ? query : query.queue(queue);
        String error = request.text("error");
        query = error == null ? query : query.error(error);
        String label = request.text("label");
        query = label == null ? query : query.label(label);
        String group = request.text("group");
        query = group == null ? query : query.group(group);
        String payload = request.text(PAYLOAD);
        query = payload == null ? query : query.payload(payload);
        Instant from = request.instant("from");
        query = from == null ? query : query.from(from);
        Instant until = request.instant("until");
        return until == null ? query : query.until(until);
    }

    private static JobQuery ordered(JobQuery query, JobOrder order) {
        try {
            return query.order(order);
        } catch (IllegalArgumentException unfit) {
            throw new IllegalArgumentException(
                    "Invalid order '%s' with state=%s: DUE applies only to unfinished jobs, and ENDED only to ended jobs."
                            .formatted(order, query.state()),
                    unfit);
        }
    }

    static JobQuery behind(JobQuery query, @Nullable String after) {
        try {
            return after == null ? query : query.after(JobCursor.parse(after));
        } catch (IllegalArgumentException unusable) {
            throw new IllegalArgumentException(
                    "Invalid after '%s': must be the 'next' of a page with the same filters and order."
                            .formatted(after),
                    unusable);
        }
    }
}
