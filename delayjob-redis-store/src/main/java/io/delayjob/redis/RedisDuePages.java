package io.delayjob.redis;

import io.delayjob.job.DueRow;
import io.delayjob.job.JobId;
import io.delayjob.job.JobState;
import io.delayjob.job.Partition;
import io.delayjob.store.ClaimedRow;
import io.delayjob.store.DuePage;
import io.delayjob.store.PartitionCursor;
import io.lettuce.core.ScoredValue;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Collection;
import java.util.Comparator;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.function.Predicate;

/**
 * Reads pages of unfinished rows by due time. The class merges the indexes of all slots, and reads the beginning of
 * each row. If a row changes between these two reads, it is left out. An unreadable row is also left out. Otherwise,
 * this row would block all later rows of its partition. Thread-safe.
 */
final class RedisDuePages {

    /** Maximum number of entries that one page reads from each partition. */
    private static final int MAX_LOOK = 1_000;

    private static final Comparator<DueRow> BY_DUE_TIME =
            Comparator.comparingLong(DueRow::dueMillis).thenComparing(DueRow::id);

    private final RedisLink link;
    private final Keyspace keys;
    private final RowFormat format;
    private final RowReader reader;
    private final SortedEntries entries;
    private final UnreadableRows unreadable;

    RedisDuePages(
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

    /** Returns each partition with the due time of its earliest unfinished job. */
    Map<Partition, Instant> partitionsInUse() {
        Map<Partition, Instant> earliest = new HashMap<>();
        List<Index> indexes = new ArrayList<>();
        entries.partitions()
                .forEach((slot, partitions) -> partitions.forEach(partition -> {
                    indexes.add(new Index(partition, keys.due(slot, partition)));
                    indexes.add(new Index(partition, keys.running(slot, partition)));
                }));
        List<List<ScoredValue<byte[]>>> firsts = link.askAll(
                "reading the partitions", indexes, (redis, index) -> redis.zrangeWithScores(index.key, 0, 0));
        for (int i = 0; i < firsts.size(); i++) {
            if (!firsts.get(i).isEmpty()) {
                Instant due = Instant.ofEpochMilli((long) firsts.get(i).get(0).getScore());
                earliest.merge(indexes.get(i).partition, due, (a, b) -> a.isBefore(b) ? a : b);
            }
        }
        return earliest;
    }

    private record Index(Partition partition, String key) {}

    DuePage<DueRow> waiting(Collection<PartitionCursor> cursors, Instant until, int limit) {
        DuePage<ClaimedRow> page = page(cursors, until, JobState.DELAYED, limit, row -> true, limit);
        return new DuePage<>(page.rows().stream().map(ClaimedRow::row).toList(), page.next());
    }

    DuePage<DueRow> waiting(
            Collection<PartitionCursor> cursors, Instant until, Set<String> names, int limit, int lookAt) {
        if (names.isEmpty()) {
            return DuePage.none();
        }
        DuePage<ClaimedRow> page = page(
                cursors,
                until,
                JobState.DELAYED,
                lookAt,
                row -> names.contains(row.row().name()),
                limit);
        return new DuePage<>(page.rows().stream().map(ClaimedRow::row).toList(), page.next());
    }

    DuePage<ClaimedRow> running(Collection<PartitionCursor> cursors, Instant until, Set<Long> known, int limit) {
        return page(cursors, until, JobState.RUNNING, limit, row -> !known.contains(row.owner()), limit);
    }

    /**
     * The first read takes as many entries as the page has places, because most rows usually belong to the page. Each
     * further read doubles the number of entries.
     *
     * @param lookAt maximum number of rows to read from each partition
     */
    private DuePage<ClaimedRow> page(
            Collection<PartitionCursor> cursors,
            Instant until,
            JobState state,
            int lookAt,
            Predicate<ClaimedRow> which,
            int limit) {
        int look = Math.min(lookAt, MAX_LOOK);
        List<Strip> strips =
                cursors.stream().map(cursor -> new Strip(cursor, look, limit)).toList();
        List<Strip> open = strips;
        while (!open.isEmpty()) {
            Map<Strip, List<SortedEntries.Entry>> found = entries(open, until, state);
            Map<JobId, ClaimedRow> rows = rows(found.values(), state);
            found.forEach((strip, looked) -> strip.take(looked, rows, which));
            open = open.stream().filter(Strip::isOpen).toList();
        }
        List<ClaimedRow> page = new ArrayList<>();
        strips.forEach(strip -> page.addAll(strip.taken));
        page.sort(Comparator.comparing(ClaimedRow::row, BY_DUE_TIME));
        return new DuePage<>(
                page, strips.stream().flatMap(strip -> strip.next().stream()).toList());
    }

    private static final class Strip {

        private final Partition partition;
        private final int look;
        private final int limit;
        private final List<ClaimedRow> taken = new ArrayList<>();
        private PartitionCursor at;
        private int looked;
        private boolean hasMore = true;

        Strip(PartitionCursor from, int look, int limit) {
            this.partition = from.partition();
            this.at = from;
            this.look = look;
            this.limit = limit;
        }

        private int wanted() {
            return Math.min(look - looked, Math.max(limit - taken.size(), looked));
        }

        private boolean isOpen() {
            return hasMore && taken.size() < limit && looked < look;
        }

        private void take(List<SortedEntries.Entry> entries, Map<JobId, ClaimedRow> rows, Predicate<ClaimedRow> which) {
            hasMore = entries.size() == wanted();
            looked += entries.size();
            for (SortedEntries.Entry entry : entries) {
                at = new PartitionCursor(partition, entry.score(), entry.id());
                ClaimedRow row = rows.get(entry.id());
                if (row != null && isAt(row.row(), partition, entry) && which.test(row)) {
                    taken.add(row);
                    if (taken.size() == limit) {
                        return;
                    }
                }
            }
        }

        private Optional<PartitionCursor> next() {
            return taken.size() == limit || hasMore ? Optional.of(at) : Optional.empty();
        }
    }

    private static boolean isAt(DueRow row, Partition partition, SortedEntries.Entry entry) {
        return row.partition().equals(partition) && row.dueMillis() == entry.score();
    }

    private Map<Strip, List<SortedEntries.Entry>> entries(List<Strip> strips, Instant until, JobState state) {
        List<SortedEntries.Place> places = new ArrayList<>();
        List<Strip> stripOf = new ArrayList<>();
        for (Strip strip : strips) {
            for (int slot = 0; slot < keys.slots(); slot++) {
                String key = state == JobState.RUNNING
                        ? keys.running(slot, strip.partition)
                        : keys.due(slot, strip.partition);
                places.add(new SortedEntries.Place(slot, key, strip.at.dueMillis(), strip.at.id()));
                stripOf.add(strip);
            }
        }
        int most = strips.stream().mapToInt(Strip::wanted).max().orElse(0);
        List<List<SortedEntries.Entry>> pages = entries.after(places, until.toEpochMilli(), most);
        Map<Strip, List<SortedEntries.Entry>> found = new HashMap<>();
        for (int i = 0; i < pages.size(); i++) {
            found.computeIfAbsent(stripOf.get(i), first -> new ArrayList<>()).addAll(pages.get(i));
        }
        found.replaceAll(
                (strip, all) -> all.stream().sorted().limit(strip.wanted()).toList());
        return found;
    }

    private Map<JobId, ClaimedRow> rows(Collection<List<SortedEntries.Entry>> found, JobState state) {
        List<JobId> ids = found.stream()
                .flatMap(List::stream)
                .map(SortedEntries.Entry::id)
                .toList();
        Map<JobId, ClaimedRow> rows = new HashMap<>(2 * ids.size());
        Map<JobId, Integer> longer = new LinkedHashMap<>();
        reader.begins("reading due jobs", ids, RowFormat.DUE_ROW_LENGTH)
                .forEach((id, begin) -> unlessUnreadable(id, () -> {
                    int length = format.dueRowLength(id, begin);
                    if (length > begin.length) {
                        longer.put(id, length);
                    } else {
                        add(rows, id, begin, state);
                    }
                }));
        if (!longer.isEmpty()) {
            addLonger(rows, List.copyOf(longer.entrySet()), state);
        }
        return rows;
    }

    private void addLonger(Map<JobId, ClaimedRow> rows, List<Map.Entry<JobId, Integer>> longer, JobState state) {
        List<byte[]> begins = link.askAll(
                "reading due jobs",
                longer,
                (redis, row) -> redis.getrange(keys.row(row.getKey()), 0, row.getValue() - 1));
        for (int i = 0; i < longer.size(); i++) {
            JobId id = longer.get(i).getKey();
            byte[] begin = begins.get(i);
            unlessUnreadable(id, () -> {
                // A row that is longer now has changed in between, and is left out.
                boolean isWhole = begin.length > 0 && format.dueRowLength(id, begin) <= begin.length;
                add(rows, id, isWhole ? begin : new byte[0], state);
            });
        }
    }

    private void unlessUnreadable(JobId id, Runnable parse) {
        try {
            parse.run();
        } catch (RuntimeException reason) {
            unreadable.leaveOut(id, reason);
        }
    }

    private void add(Map<JobId, ClaimedRow> rows, JobId id, byte[] begin, JobState state) {
        ClaimedRow row = begin.length == 0 ? null : format.dueRow(id, begin, state);
        if (row != null) {
            rows.put(id, row);
        }
    }
}
