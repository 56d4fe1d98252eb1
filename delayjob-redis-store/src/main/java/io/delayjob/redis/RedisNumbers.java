package io.delayjob.redis;

import io.delayjob.job.Job;
import io.delayjob.job.JobId;
import io.delayjob.job.JobState;
import io.delayjob.store.ClaimedRow;
import io.delayjob.store.DueCounts;
import io.delayjob.store.DueSpan;
import io.delayjob.store.FailureGroups;
import io.delayjob.store.JobCounts;
import io.delayjob.store.Precision;
import io.lettuce.core.Range;
import io.lettuce.core.ScoredValue;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Collections;
import java.util.EnumMap;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Set;
import java.util.function.IntFunction;
import java.util.stream.IntStream;
import java.util.stream.LongStream;
import org.jspecify.annotations.Nullable;

/** Counts jobs for display. Thread-safe. */
final class RedisNumbers {

    static final int MAX_ROWS = 2_000;

    private static final String DOING = "counting jobs";

    private final RedisLink link;
    private final Keyspace keys;
    private final RowFormat format;
    private final RowReader reader;
    private final SortedEntries entries;
    private final UnreadableRows unreadable;

    RedisNumbers(
            RedisLink link,
            Keyspace keys,
            RowFormat format,
            RowReader reader,
            SortedEntries entries,
            UnreadableRows unreadable) {
        this.link = link;
        this.keys = keys;
        this.format = format;
        this.reader = reader;
        this.entries = entries;
        this.unreadable = unreadable;
    }

    JobCounts counts(Instant now) {
        List<String> due = new ArrayList<>();
        List<String> running = new ArrayList<>();
        entries.partitions()
                .forEach((slot, partitions) -> partitions.forEach(partition -> {
                    due.add(keys.due(slot, partition));
                    running.add(keys.running(slot, partition));
                }));
        List<String> awaiting = ofEachSlot(keys::awaiting);
        long dueNow = count(due, Long.MIN_VALUE, now.toEpochMilli());
        long awaitingNow = count(awaiting, Long.MIN_VALUE, now.toEpochMilli());
        long allAwaiting = size(awaiting);
        long ready = Math.max(0, dueNow - awaitingNow);
        Map<JobState, Long> byState = new EnumMap<>(JobState.class);
        byState.put(JobState.READY, ready);
        byState.put(JobState.AWAITING, allAwaiting);
        byState.put(JobState.DELAYED, Math.max(0, size(due) - allAwaiting - ready));
        byState.put(JobState.RUNNING, size(running));
        for (JobState state : List.of(JobState.FINISHED, JobState.FAILED, JobState.CANCELLED)) {
            byState.put(
                    state,
                    size(IntStream.range(0, keys.slots())
                            .boxed()
                            .flatMap(slot -> keys.allEnded(slot, state).stream())
                            .toList()));
        }
        return new JobCounts(byState, Set.of(), Set.of(), oldest(due, now));
    }

    private @Nullable Instant oldest(List<String> due, Instant now) {
        List<List<ScoredValue<byte[]>>> firsts =
                link.askAll(DOING, due, (redis, key) -> redis.zrangeWithScores(key, 0, 0));
        return firsts.stream()
                .flatMap(List::stream)
                .map(first -> Instant.ofEpochMilli((long) first.getScore()))
                .filter(time -> !time.isAfter(now))
                .min(Instant::compareTo)
                .orElse(null);
    }

    private List<String> ofEachSlot(IntFunction<String> key) {
        return IntStream.range(0, keys.slots()).mapToObj(key).toList();
    }

    private long size(List<String> sets) {
        return sum(link.askAll(DOING, sets, (redis, key) -> redis.zcard(key)));
    }

    private long count(List<String> sets, long from, long until) {
        Range<Long> range = Range.from(
                from == Long.MIN_VALUE ? Range.Boundary.unbounded() : Range.Boundary.including(from),
                Range.Boundary.including(until));
        return sum(link.askAll(DOING, sets, (redis, key) -> redis.zcount(key, range)));
    }

    private static long sum(List<Long> numbers) {
        return numbers.stream().mapToLong(Long::longValue).sum();
    }

    /**
     * The numbers of the buckets are exact. If there are many jobs, the numbers by name are estimated from the first
     * jobs.
     */
    DueCounts due(DueSpan span) {
        List<Walk.Index> sets = new ArrayList<>();
        entries.partitions()
                .forEach((slot, partitions) -> partitions.forEach(partition -> {
                    sets.add(new Walk.Index(slot, keys.due(slot, partition)));
                    sets.add(new Walk.Index(slot, keys.running(slot, partition)));
                }));
        long from = span.from().toEpochMilli();
        List<SortedEntries.Entry> first = Walk.byTime(entries, sets, from, span.untilMillis() - 1, Walk.Direction.UP)
                .behind(null, MAX_ROWS + 1);
        boolean isSample = first.size() > MAX_ROWS;
        Map<String, long[]> byName = named(first.subList(0, Math.min(first.size(), MAX_ROWS)), span);
        long[] due = new long[span.buckets()];
        if (isSample) {
            List<String> names = sets.stream().map(Walk.Index::key).toList();
            for (int bucket = 0; bucket < due.length; bucket++) {
                due[bucket] = count(names, span.beginMillis(bucket), span.beginMillis(bucket + 1) - 1);
            }
            byName.replaceAll(
                    (name, counts) -> scaled(due, (double) LongStream.of(counts).sum() / MAX_ROWS));
        } else {
            byName.values().forEach(counts -> Arrays.setAll(due, bucket -> due[bucket] + counts[bucket]));
        }
        Map<String, List<Long>> numbers = new HashMap<>();
        byName.forEach((name, counts) -> numbers.put(name, listOf(counts)));
        long sum = LongStream.of(due).sum();
        long looked = isSample ? sum + MAX_ROWS : sum;
        return new DueCounts(listOf(due), Collections.nCopies(span.buckets(), Precision.EXACT), numbers, (int)
                Math.min(looked, Integer.MAX_VALUE));
    }

    private static long[] scaled(long[] numbers, double share) {
        return LongStream.of(numbers).map(number -> Math.round(number * share)).toArray();
    }

    private static List<Long> listOf(long[] numbers) {
        return LongStream.of(numbers).boxed().toList();
    }

    private Map<String, long[]> named(List<SortedEntries.Entry> due, DueSpan span) {
        Map<JobId, byte[]> begins =
                reader.begins(DOING, due.stream().map(SortedEntries.Entry::id).toList(), RowFormat.DUE_ROW_LENGTH);
        Map<String, long[]> byName = new HashMap<>();
        for (SortedEntries.Entry entry : due) {
            byte[] begin = begins.get(entry.id());
            String name = begin == null ? null : name(entry.id(), begin);
            if (name != null) {
                byName.computeIfAbsent(name, first -> new long[span.buckets()])[span.bucketOf(entry.score())]++;
            }
        }
        return byName;
    }

    private @Nullable String name(JobId id, byte[] begin) {
        try {
            for (JobState state : List.of(JobState.DELAYED, JobState.RUNNING)) {
                ClaimedRow row = format.dueRow(id, begin, state);
                if (row != null) {
                    return row.row().name();
                }
            }
        } catch (RuntimeException reason) {
            unreadable.leaveOut(id, reason);
        }
        return null;
    }

    FailureGroups failures(FailureGroups.Span span) {
        List<Walk.Index> sets = IntStream.range(0, keys.slots())
                .mapToObj(slot -> new Walk.Index(slot, keys.ended(slot, JobState.FAILED)))
                .toList();
        List<SortedEntries.Entry> newest = Walk.byTime(
                        entries,
                        sets,
                        span.since().toEpochMilli() + 1,
                        span.until().toEpochMilli(),
                        Walk.Direction.DOWN)
                .behind(null, MAX_ROWS + 1);
        List<JobId> ids =
                newest.stream().limit(MAX_ROWS).map(SortedEntries.Entry::id).toList();
        Map<JobId, Job> jobs = reader.readable(ids);
        List<Job> failed = ids.stream()
                .map(jobs::get)
                .filter(Objects::nonNull)
                .filter(job -> job.state() == JobState.FAILED)
                .toList();
        return FailureGroups.of(failed, span, newest.size() <= MAX_ROWS);
    }
}
