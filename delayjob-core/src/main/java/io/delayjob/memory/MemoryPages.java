package io.delayjob.memory;

import io.delayjob.job.DueRow;
import io.delayjob.job.Job;
import io.delayjob.job.JobId;
import io.delayjob.job.JobState;
import io.delayjob.store.DueCounts;
import io.delayjob.store.DueSpan;
import io.delayjob.store.FailureGroups;
import io.delayjob.store.JobCounts;
import io.delayjob.store.JobCursor;
import io.delayjob.store.JobFilter;
import io.delayjob.store.JobOrder;
import io.delayjob.store.JobPage;
import io.delayjob.store.JobQuery;
import io.delayjob.store.Precision;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Collections;
import java.util.EnumMap;
import java.util.HashMap;
import java.util.Iterator;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.Set;
import java.util.stream.LongStream;

/** Finds and counts the jobs in memory, to show them to people. Not thread-safe. */
final class MemoryPages {

    private final MemoryJobTable unfinished;
    private final MemoryHistory history;
    private final long maxPayloadBytes;

    MemoryPages(MemoryJobTable unfinished, MemoryHistory history, long maxPayloadBytes) {
        this.unfinished = unfinished;
        this.history = history;
        this.maxPayloadBytes = maxPayloadBytes;
    }

    Optional<Job> find(JobId id) {
        Job job = unfinished.find(id);
        return Optional.ofNullable(job != null ? job : history.find(id)).map(this::readable);
    }

    Optional<Job> find(String name, String key) {
        Job job = unfinished.find(name, key);
        return Optional.ofNullable(job != null ? job : history.newest(name, key))
                .map(this::readable);
    }

    private Job readable(Job job) {
        return job.readUpTo(maxPayloadBytes);
    }

    JobPage find(JobQuery query, Instant now) {
        Iterator<Job> rows = rows(query, now);
        List<Job> page = new ArrayList<>();
        JobCursor last = null;
        int looked = 0;
        while (rows.hasNext() && looked < query.look()) {
            Job job = rows.next();
            looked++;
            if (query.filter().matches(job, now)) {
                if (page.size() == query.limit()) {
                    return new JobPage(page, query.behind(page.get(page.size() - 1)), looked);
                }
                page.add(readable(job));
            }
            last = query.behind(job);
        }
        return new JobPage(page, rows.hasNext() ? last : null, looked);
    }

    private Iterator<Job> rows(JobQuery query, Instant now) {
        List<Iterator<Job>> tables = new ArrayList<>();
        if (query.mayFindUnfinished()) {
            tables.addAll(unfinished(query, now));
        }
        if (query.mayFindEnded()) {
            tables.addAll(ended(query, now));
        }
        return new Merged<>(tables, query.comparator());
    }

    private List<Iterator<Job>> unfinished(JobQuery query, Instant now) {
        JobFilter filter = query.filter();
        if (filter.name() != null && filter.key() != null) {
            Job taken = unfinished.find(filter.name(), filter.key());
            return taken == null || !query.isBehindCursor(taken)
                    ? List.of()
                    : List.of(List.of(taken).iterator());
        }
        if (query.order() == JobOrder.DUE) {
            JobCursor after = query.after();
            long from = after == null
                    ? filter.fromMillis(now)
                    : Objects.requireNonNull(after.time()).toEpochMilli();
            return unfinished.dueFrom(from, query.afterId(), filter.untilMillis(now));
        }
        return List.of(unfinished.after(query.afterId(), query.order().isReversed()));
    }

    private List<Iterator<Job>> ended(JobQuery query, Instant now) {
        JobFilter filter = query.filter();
        boolean isReversed = query.order().isReversed();
        if (filter.name() != null && filter.key() != null) {
            return List.of(history.after(query.afterId(), filter.name(), filter.key(), isReversed));
        }
        if (!query.inOrderOfTimes()) {
            return List.of(history.after(query.afterId(), isReversed));
        }
        return Arrays.stream(JobState.values())
                .filter(state -> state.isEnded() && (filter.state() == null || filter.state() == state))
                .map(state -> history.ended(
                        state, filter.fromMillis(now), filter.untilMillis(now), query.after(), isReversed))
                .toList();
    }

    /** Counts all jobs and not only a sample, because counting is cheap in memory. */
    DueCounts due(DueSpan span) {
        Map<String, long[]> byName = new HashMap<>();
        long[] due = new long[span.buckets()];
        for (Iterator<Job> jobs : unfinished.dueFrom(span.from().toEpochMilli(), null, span.untilMillis() - 1)) {
            jobs.forEachRemaining(job -> {
                int bucket = span.bucketOf(job.dueAt().toEpochMilli());
                due[bucket]++;
                byName.computeIfAbsent(job.name(), name -> new long[span.buckets()])[bucket]++;
            });
        }
        Map<String, List<Long>> numbers = new HashMap<>();
        byName.forEach((name, counts) -> numbers.put(name, listOf(counts)));
        return new DueCounts(listOf(due), Collections.nCopies(span.buckets(), Precision.EXACT), numbers, (int)
                LongStream.of(due).sum());
    }

    private static List<Long> listOf(long[] numbers) {
        return LongStream.of(numbers).boxed().toList();
    }

    FailureGroups failures(FailureGroups.Span span) {
        List<Job> newestFirst = new ArrayList<>();
        history.ended(
                        JobState.FAILED,
                        span.since().toEpochMilli() + 1,
                        span.until().toEpochMilli(),
                        null,
                        true)
                .forEachRemaining(newestFirst::add);
        return FailureGroups.of(newestFirst, span, true);
    }

    JobCounts counts(Instant now) {
        long ready = 0;
        long oldest = Long.MAX_VALUE;
        for (Iterator<DueRow> due = unfinished.due(now.toEpochMilli()).iterator(); due.hasNext(); ) {
            DueRow row = due.next();
            oldest = Math.min(oldest, row.dueMillis());
            ready += unfinished.isAwaiting(row.id()) ? 0 : 1;
        }
        Map<JobState, Long> byState = new EnumMap<>(JobState.class);
        byState.put(JobState.READY, ready);
        byState.put(JobState.AWAITING, unfinished.countAwaiting());
        byState.put(JobState.DELAYED, unfinished.countWaiting() - unfinished.countAwaiting() - ready);
        byState.put(JobState.RUNNING, unfinished.countRunning());
        for (JobState state : JobState.values()) {
            if (state.isEnded()) {
                byState.put(state, history.count(state));
            }
        }
        return new JobCounts(
                byState, Set.of(), Set.of(), oldest == Long.MAX_VALUE ? null : Instant.ofEpochMilli(oldest));
    }
}
