package io.delayjob.redis;

import io.delayjob.job.JobId;
import io.lettuce.core.Limit;
import io.lettuce.core.Range;
import java.util.ArrayList;
import java.util.Collection;
import java.util.Comparator;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** A walk through jobs in one order, across all Redis keys that contain these jobs. */
@FunctionalInterface
interface Walk {

    /** @param position the returned entries come after this entry; {@code null} at the beginning */
    List<SortedEntries.Entry> behind(SortedEntries.@Nullable Entry position, int count);

    enum Direction {
        UP(Comparator.naturalOrder()),
        DOWN(Comparator.reverseOrder());

        private final Comparator<SortedEntries.Entry> order;

        Direction(Comparator<SortedEntries.Entry> order) {
            this.order = order;
        }

        private List<SortedEntries.Entry> merged(Collection<List<SortedEntries.Entry>> pages, int count) {
            return pages.stream()
                    .flatMap(List::stream)
                    .sorted(order)
                    .distinct()
                    .limit(count)
                    .toList();
        }
    }

    static Walk through(Collection<SortedEntries.Entry> entries, Direction direction) {
        return (position, count) -> entries.stream()
                .filter(entry -> position == null || direction.order.compare(entry, position) > 0)
                .sorted(direction.order)
                .distinct()
                .limit(count)
                .toList();
    }

    /**
     * @param from the earliest time, in milliseconds
     * @param until the latest time, in milliseconds
     */
    static Walk byTime(SortedEntries entries, List<Index> sets, long from, long until, Direction direction) {
        return (position, count) -> {
            long score = position == null ? start(from, until, direction) : position.score();
            JobId id = position == null ? SortedEntries.FIRST_ID : position.id();
            List<SortedEntries.Place> places = sets.stream()
                    .map(set -> new SortedEntries.Place(set.slot, set.key, score, id))
                    .toList();
            return direction.merged(
                    direction == Direction.UP
                            ? entries.after(places, until, count)
                            : entries.before(places, from, count),
                    count);
        };
    }

    private static long start(long from, long until, Direction direction) {
        if (direction == Direction.UP) {
            return from;
        }
        return until == Long.MAX_VALUE ? until : until + 1;
    }

    record Index(int slot, String key) {}

    /**
     * Each member of the sets contains one id, or a series of ids. In the order of the ids, no other member's id comes
     * between the ids of a series.
     */
    static Walk byId(RedisLink link, List<String> sets, Direction direction) {
        return (position, count) -> {
            List<byte[]> runs = new ArrayList<>();
            if (position == null) {
                runs.addAll(runs(link, sets, direction, Range.unbounded(), count));
            } else if (direction == Direction.DOWN) {
                byte[] id = Bytes.of(Keyspace.member(position.id()));
                Range<byte[]> before = Range.from(Range.Boundary.unbounded(), Range.Boundary.excluding(id));
                runs.addAll(runs(link, sets, direction, before, count));
            } else {
                // The position may be within the last run that does not begin after it, so this run is read first. If
                // it is divided meanwhile, its end is read twice.
                byte[] last = Bytes.of(Keyspace.member(position.id()) + LAST_MEMBER);
                Range<byte[]> until = Range.from(Range.Boundary.unbounded(), Range.Boundary.including(last));
                Range<byte[]> behind = Range.from(Range.Boundary.excluding(last), Range.Boundary.unbounded());
                runs.addAll(runs(link, sets, Direction.DOWN, until, 1));
                runs.addAll(runs(link, sets, direction, behind, count));
            }
            List<SortedEntries.Entry> found = new ArrayList<>();
            for (byte[] run : runs) {
                Keyspace.ids(run).forEach(id -> found.add(new SortedEntries.Entry(0, id)));
            }
            return through(found, direction).behind(position, count);
        };
    }

    private static List<byte[]> runs(
            RedisLink link, List<String> sets, Direction direction, Range<byte[]> range, int count) {
        Limit limit = Limit.create(0, count);
        return link
                .askAll(
                        "reading pages of jobs",
                        sets,
                        (redis, set) -> direction == Direction.UP
                                ? redis.zrangebylex(set, range, limit)
                                : redis.zrevrangebylex(set, range, limit))
                .stream()
                .flatMap(List::stream)
                .toList();
    }

    static List<SortedEntries.Entry> entriesOf(List<byte[]> members) {
        return members.stream()
                .map(member -> new SortedEntries.Entry(0, Keyspace.id(member)))
                .toList();
    }

    /**
     * Walks through the ended jobs and the unfinished job of one key.
     *
     * @param unfinished the unfinished job of the key; {@code null} if there is no unfinished job
     */
    static Walk byKey(RedisLink link, String set, String field, @Nullable JobId unfinished, Direction direction) {
        return (position, count) -> {
            JobId id = position == null ? null : position.id();
            Range.Boundary<byte[]> first =
                    Range.Boundary.including(Bytes.of(field + Keyspace.member(SortedEntries.FIRST_ID)));
            Range.Boundary<byte[]> last = Range.Boundary.including(Bytes.of(field + LAST_MEMBER));
            Range.Boundary<byte[]> edge =
                    id == null ? null : Range.Boundary.excluding(Bytes.of(field + Keyspace.member(id)));
            List<byte[]> ended = link.ask(
                    "reading the jobs of a key",
                    redis -> direction == Direction.UP
                            ? redis.zrangebylex(
                                    set, Range.from(edge == null ? first : edge, last), Limit.create(0, count))
                            : redis.zrevrangebylex(
                                    set, Range.from(first, edge == null ? last : edge), Limit.create(0, count)));
            List<SortedEntries.Entry> all = new ArrayList<>(entriesOf(ended));
            if (unfinished != null) {
                all.add(new SortedEntries.Entry(0, unfinished));
            }
            return through(all, direction).behind(position, count);
        };
    }

    /** A member that comes after every id. */
    String LAST_MEMBER = "\u00ff".repeat(16);
}
