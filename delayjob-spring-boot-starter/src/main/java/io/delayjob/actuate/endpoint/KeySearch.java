package io.delayjob.actuate.endpoint;

import io.delayjob.DelayJobOperations;
import io.delayjob.handler.HandlerRegistry;
import io.delayjob.job.Job;
import io.delayjob.store.JobOrder;
import io.delayjob.store.JobPage;
import io.delayjob.store.JobQuery;
import io.delayjob.store.JobStore;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import java.util.TreeSet;
import org.jspecify.annotations.Nullable;

/**
 * Finds jobs by their key alone. The store has no index for that, so the search tries the name of each handler.
 * Thread-safe.
 */
final class KeySearch {

    /** Maximum number of names, because each name needs a separate statement. */
    static final int MAX_NAMES = 100;

    private final DelayJobOperations operations;
    private final JobStore store;
    private final HandlerRegistry handlers;

    KeySearch(DelayJobOperations operations, JobStore store, HandlerRegistry handlers) {
        this.operations = operations;
        this.store = store;
        this.handlers = handlers;
    }

    /** Returns {@code null} if the caller must search row by row, for example because jobs may have unknown names. */
    @Nullable
    JobPage find(JobQuery query) {
        if (query.key() == null
                || query.name() != null
                || query.after() != null
                || query.order() != JobOrder.OLDEST && query.order() != JobOrder.NEWEST) {
            return null;
        }
        Set<String> names = names();
        if (names.size() > MAX_NAMES) {
            return null;
        }
        List<Job> found = new ArrayList<>();
        int lookedAt = 0;
        for (String name : names) {
            JobPage page = operations.find(query.name(name));
            found.addAll(page.jobs());
            lookedAt += page.lookedAt();
            if (page.next() != null) {
                return null;
            }
        }
        found.sort(query.comparator());
        return found.isEmpty() || found.size() > query.limit() ? null : new JobPage(found, null, lookedAt);
    }

    private Set<String> names() {
        Set<String> names = new TreeSet<>(handlers.names());
        handlers.all().forEach(handler -> names.addAll(handler.formerNames()));
        store.instances().handlers().forEach(names::addAll);
        return names;
    }
}
