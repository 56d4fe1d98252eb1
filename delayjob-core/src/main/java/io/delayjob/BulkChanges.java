package io.delayjob;

import io.delayjob.job.BulkResult;
import io.delayjob.job.CancelResult;
import io.delayjob.job.ChangeResult;
import io.delayjob.job.Job;
import io.delayjob.job.JobId;
import io.delayjob.job.JobMove;
import io.delayjob.job.JobPlan;
import io.delayjob.job.JobState;
import io.delayjob.store.DueSink;
import io.delayjob.store.JobCursor;
import io.delayjob.store.JobPage;
import io.delayjob.store.JobQuery;
import io.delayjob.store.JobStore;
import io.delayjob.time.EngineClock;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Collection;
import java.util.Comparator;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.function.Consumer;
import java.util.function.Function;
import java.util.random.RandomGenerator;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import org.jspecify.annotations.Nullable;

/** Changes all jobs that a query finds, page by page. Thread-safe. */
final class BulkChanges {

    private static final List<ChangeResult> MADE = List.of(ChangeResult.CHANGED, ChangeResult.ON_COMMIT);

    private static final List<CancelResult> GONE = List.of(CancelResult.ALREADY_ENDED, CancelResult.NOT_FOUND);

    /** Leaves out jobs that were scheduled after {@code scheduled}, or that ended after {@code ended}. */
    private record Seen(Instant scheduled, Instant ended) {

        boolean includes(Job job) {
            return job.endedAt() == null
                    ? !job.scheduledAt().isAfter(scheduled)
                    : !job.endedAt().isAfter(ended) && !job.scheduledAt().isAfter(scheduled);
        }
    }

    private final JobStore store;
    private final EngineClock clock;
    private final RandomGenerator random;
    private final Planner planner;
    private final DueSink nearDue;
    private final Function<JobQuery, JobPage> pages;
    private final Consumer<Collection<CancelResult>> cancelled;

    BulkChanges(
            JobStore store,
            EngineClock clock,
            RandomGenerator random,
            Planner planner,
            DueSink nearDue,
            Function<JobQuery, JobPage> pages,
            Consumer<Collection<CancelResult>> cancelled) {
        this.store = store;
        this.clock = clock;
        this.random = random;
        this.planner = planner;
        this.nearDue = nearDue;
        this.pages = pages;
        this.cancelled = cancelled;
    }

    BulkResult all(BulkChange change) {
        Seen seen = seen(change);
        JobQuery query = change.query().limit(JobQuery.MAX_LIMIT);
        long changed = 0;
        long skipped = 0;
        while (true) {
            BulkPage page = page(change.of(query), seen);
            changed += page.changed().size();
            skipped += page.skipped();
            JobCursor next = page.next();
            if (next == null || isBeyond(next, seen)) {
                return new BulkResult(changed, skipped);
            }
            query = query.after(next);
        }
    }

    /** A job that fails again moves to the end of the list, so without this check the search might never end. */
    private static boolean isBeyond(JobCursor next, Seen seen) {
        return next.time() != null && next.time().isAfter(seen.ended);
    }

    BulkPage page(BulkChange change) {
        return page(change, seen(change));
    }

    private Seen seen(BulkChange change) {
        Instant stated = change.seen();
        return stated == null ? new Seen(clock.latestStoreTime(), clock.storeTime()) : new Seen(stated, stated);
    }

    private BulkPage page(BulkChange change, Seen seen) {
        JobPage page = pages.apply(change.query());
        List<Job> jobs = page.stream().filter(seen::includes).toList();
        List<JobId> changed = switch (change.kind()) {
            case CANCEL -> cancel(jobs, change.query().state());
            case RESCHEDULE -> move(change, jobs, moves -> store.rescheduleAll(moves, random.nextLong(), nearDue));
            case RETRY -> move(change, jobs, moves -> store.retryAll(moves, random.nextLong(), nearDue));
        };
        return new BulkPage(changed, jobs.size() - changed.size(), page.next(), page.lookedAt());
    }

    /** Waiting jobs are not cancelled if they were claimed or answered after the page was read. */
    private List<JobId> cancel(List<Job> jobs, @Nullable JobState selected) {
        Instant now = clock.storeTime();
        List<JobId> changed = new ArrayList<>();
        for (List<Job> group : groups(jobs)) {
            List<JobId> ids = group.stream().map(Job::id).toList();
            Map<JobId, CancelResult> results = cancel(ids, selected, now);
            ids.stream()
                    .filter(id -> results.containsKey(id) && !GONE.contains(results.get(id)))
                    .forEach(changed::add);
            cancelled.accept(results.values());
        }
        return changed;
    }

    private Map<JobId, CancelResult> cancel(List<JobId> ids, @Nullable JobState selected, Instant now) {
        if (selected == JobState.AWAITING) {
            return store.cancelAwaiting(ids, now);
        }
        return selected == JobState.RUNNING ? cancelRunning(ids, now) : store.cancelWaiting(ids, now);
    }

    private Map<JobId, CancelResult> cancelRunning(List<JobId> ids, Instant now) {
        List<CancelResult> results = store.cancelAll(ids, now);
        return IntStream.range(0, ids.size()).boxed().collect(Collectors.toMap(ids::get, results::get));
    }

    private List<JobId> move(BulkChange change, List<Job> jobs, Function<List<JobMove>, List<ChangeResult>> write) {
        Map<JobId, Instant> due = dueTimes(change, jobs);
        List<JobId> changed = new ArrayList<>();
        for (List<Job> group : groups(jobs)) {
            List<JobMove> moves = group.stream()
                    .map(Job::id)
                    .sorted(Comparator.naturalOrder())
                    .map(id -> new JobMove(id, Objects.requireNonNull(due.get(id))))
                    .toList();
            List<ChangeResult> results = write.apply(moves);
            IntStream.range(0, moves.size())
                    .filter(place -> MADE.contains(results.get(place)))
                    .mapToObj(place -> moves.get(place).id())
                    .forEach(changed::add);
        }
        return changed;
    }

    /** Shifts each page by a random time, so that jobs of different pages have different due times. */
    private Map<JobId, Instant> dueTimes(BulkChange change, List<Job> jobs) {
        List<JobPlan> plans = planner.spread(planner.after(change.delay()), change.spread(), jobs.size());
        long step = jobs.isEmpty() ? 0 : change.spread().toMillis() / jobs.size();
        long shift = change.query().after() == null || step < 2 ? 0 : random.nextLong(step);
        Map<JobId, Instant> due = new LinkedHashMap<>();
        for (int place = 0; place < jobs.size(); place++) {
            due.put(jobs.get(place).id(), plans.get(place).dueAt().plusMillis(shift));
        }
        return due;
    }

    /** One call to a store may change rows of only one group of partitions. */
    private Collection<List<Job>> groups(List<Job> jobs) {
        Map<Integer, List<Job>> groups = new LinkedHashMap<>();
        jobs.forEach(
                job -> groups.computeIfAbsent(store.placement().groupOf(job.partition()), group -> new ArrayList<>())
                        .add(job));
        return groups.values();
    }
}
