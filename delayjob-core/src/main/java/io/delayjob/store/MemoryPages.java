package io.delayjob.store;

import io.delayjob.job.DueRow;
import io.delayjob.job.Job;
import io.delayjob.job.JobId;
import io.delayjob.job.JobState;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Collections;
import java.util.EnumMap;
import java.util.Iterator;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.function.Predicate;
import org.jspecify.annotations.Nullable;

/** Pages of the jobs in memory, for people. Not thread-safe. */
final class MemoryPages {

    private final MemoryJobTable unfinished;
    private final MemoryHistory history;

    MemoryPages(MemoryJobTable unfinished, MemoryHistory history) {
        this.unfinished = unfinished;
        this.history = history;
    }

    JobPage find(JobQuery query, Instant now) {
        Predicate<Job> wanted = job -> (query.state() == null || query.state() == job.stateAt(now))
                && (query.name() == null || query.name().equals(job.name()))
                && (query.key() == null || query.key().equals(job.key()));
        Iterator<Job> rows = rows(query);
        List<Job> page = new ArrayList<>();
        JobCursor last = null;
        int looked = 0;
        while (rows.hasNext() && looked < query.look()) {
            Job job = rows.next();
            looked++;
            if (wanted.test(job)) {
                if (page.size() == query.limit()) {
                    return new JobPage(page, query.behind(page.get(page.size() - 1)), looked);
                }
                page.add(job);
            }
            last = query.behind(job);
        }
        return new JobPage(page, rows.hasNext() ? last : null, looked);
    }

    /** The jobs that may match, in the order of the query. */
    private Iterator<Job> rows(JobQuery query) {
        JobState state = query.state();
        String name = query.name();
        String key = query.key();
        JobId after = query.afterId();
        if (name != null && key != null) {
            Job taken = unfinished.find(name, key);
            boolean isBehind = taken != null && (after == null || taken.id().compareTo(after) > 0);
            return new Merged(
                    taken != null && isBehind ? List.of(taken).iterator() : Collections.emptyIterator(),
                    history.after(after, name, key));
        }
        if (state == null) {
            return new Merged(unfinished.after(after), history.after(after));
        }
        return state.isEnded() ? history.endedAfter(query.after(), state) : unfinished.after(after);
    }

    JobCounts counts(Instant now) {
        long ready = 0;
        long oldest = Long.MAX_VALUE;
        for (Iterator<DueRow> due = unfinished.due(now.toEpochMilli()).iterator(); due.hasNext(); ready++) {
            oldest = Math.min(oldest, due.next().dueMillis());
        }
        Map<JobState, Long> byState = new EnumMap<>(JobState.class);
        byState.put(JobState.READY, ready);
        byState.put(JobState.DELAYED, unfinished.countWaiting() - ready);
        byState.put(JobState.RUNNING, unfinished.countRunning());
        for (JobState state : JobState.values()) {
            if (state.isEnded()) {
                byState.put(state, history.count(state));
            }
        }
        return new JobCounts(byState, Set.of(), ready == 0 ? null : Instant.ofEpochMilli(oldest));
    }

    /** Merges two streams in the order of ids. */
    private static final class Merged implements Iterator<Job> {

        private final Iterator<Job> first;
        private final Iterator<Job> second;
        private @Nullable Job ofFirst;
        private @Nullable Job ofSecond;

        Merged(Iterator<Job> first, Iterator<Job> second) {
            this.first = first;
            this.second = second;
            this.ofFirst = nextOf(first);
            this.ofSecond = nextOf(second);
        }

        private static @Nullable Job nextOf(Iterator<Job> jobs) {
            return jobs.hasNext() ? jobs.next() : null;
        }

        @Override
        public boolean hasNext() {
            return ofFirst != null || ofSecond != null;
        }

        @Override
        public Job next() {
            Job a = ofFirst;
            Job b = ofSecond;
            if (a != null && (b == null || a.id().compareTo(b.id()) < 0)) {
                ofFirst = nextOf(first);
                return a;
            }
            ofSecond = nextOf(second);
            return Optional.ofNullable(b).orElseThrow();
        }
    }
}
