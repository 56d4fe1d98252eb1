package io.delayjob.jdbc;

import io.delayjob.internal.jdbc.dialect.ReadSql;
import io.delayjob.job.Partition;
import io.delayjob.store.DueCounts;
import io.delayjob.store.DueSpan;
import io.delayjob.store.Precision;
import io.delayjob.time.EngineClock;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.function.BooleanSupplier;
import java.util.stream.IntStream;
import java.util.stream.LongStream;
import org.jspecify.annotations.Nullable;

/**
 * Counts future jobs by their due time, for display. First the class counts the earliest rows of every partition, up to
 * a limit of rows and of {@linkplain ReadingTime time}. For later due times, the class counts only one partition of
 * each queue, because a hash distributes the rows evenly. Thread-safe.
 */
final class Timetable {

    private static final String DOING = "counting jobs that come due";

    /**
     * Maximum number of rows that are counted by handler name. The index does not contain names, so the row of each job
     * is read.
     */
    private static final int NAMED = 2_000;

    private static final int FEW_NAMED = NAMED / 4;

    /** Maximum number of sampled rows, if the time limit passed before the sampling began. */
    private static final int FEW_SAMPLED = DueCounts.MAX_LOOK / 20;

    private record Found(int bucket, String name, long jobs) {}

    private final Transactions transactions;
    private final EngineClock clock;
    private final PeoplesReads reads;
    private final Sql partitionsInUse;
    private final Sql countDueByName;
    private final Sql countDue;
    private final @Nullable Sql countEach;

    Timetable(Transactions transactions, Database database, EngineClock clock) {
        ReadSql sql = database.dialect().reads();
        this.transactions = transactions;
        this.clock = clock;
        this.reads = new PeoplesReads(database);
        this.partitionsInUse = database.keptSql(
                sql.alongTheIndex() + database.dialect().pages().partitionsInUse());
        this.countDueByName = database.sql(sql.alongTheIndex() + sql.countDueByName());
        this.countDue = database.sql(sql.alongTheIndex() + sql.countDue());
        String countEachBucket = sql.countDueInEachBucket();
        this.countEach = countEachBucket == null ? null : database.sql(sql.alongTheIndex() + countEachBucket);
    }

    DueCounts due(DueSpan span) {
        return transactions.own(DOING, () -> new Count(span).counted());
    }

    private final class Count {

        private final DueSpan span;
        private final long[] due;
        private final Precision[] precision;
        private final Map<String, long[]> byName = new HashMap<>();
        private int lookedAt;

        Count(DueSpan span) {
            this.span = span;
            this.due = new long[span.buckets()];
            this.precision = new Precision[span.buckets()];
            Arrays.fill(precision, Precision.EXACT);
        }

        DueCounts counted() {
            List<Integer> partitions = reads.query(DOING, partitionsInUse, Parameters.none(), row -> row.getInt(1));
            if (!partitions.isEmpty() && !haveBeenCountedByName(partitions)) {
                Map<String, long[]> sample = new HashMap<>(byName);
                Arrays.fill(due, 0);
                ReadingTime time = new ReadingTime(clock);
                int reached = look(countDue, partitions, DueCounts.MAX_LOOK - lookedAt, time::isOver);
                if (reached < span.buckets()) {
                    estimate(reached, partitions, time.isOver() ? FEW_SAMPLED : DueCounts.MAX_LOOK);
                }
                byName.clear();
                scale(sample);
            }
            Map<String, List<Long>> shares = new HashMap<>();
            byName.forEach((name, jobs) -> shares.put(name, listOf(jobs)));
            return new DueCounts(listOf(due), List.of(precision), shares, lookedAt);
        }

        private List<Long> listOf(long[] numbers) {
            return LongStream.of(numbers).boxed().toList();
        }

        private boolean haveBeenCountedByName(List<Integer> partitions) {
            ReadingTime time = new ReadingTime(clock);
            return haveBeenCountedByName(partitions, FEW_NAMED)
                    || !time.isOver() && haveBeenCountedByName(partitions, NAMED);
        }

        private boolean haveBeenCountedByName(List<Integer> partitions, int budget) {
            Arrays.fill(due, 0);
            byName.clear();
            lookedAt = 0;
            return look(countDueByName, partitions, budget, () -> false) == span.buckets();
        }

        /**
         * @return the first bucket that was not counted completely; the number of buckets if all were counted
         *     completely
         */
        private int look(Sql count, List<Integer> partitions, int budget, BooleanSupplier stop) {
            int limit = Math.max(1, budget / partitions.size());
            int reached = span.buckets();
            for (int partition : partitions) {
                if (stop.getAsBoolean()) {
                    return 0;
                }
                Parameters end = Parameters.none().set("until", span.untilMillis());
                List<Found> found = find(count, end, partition, span.from().toEpochMilli(), limit);
                found.forEach(each -> add(due, each));
                found.forEach(each -> add(byName.computeIfAbsent(each.name, name -> new long[span.buckets()]), each));
                long jobs = found.stream().mapToLong(Found::jobs).sum();
                if (jobs == limit) {
                    int last = found.stream().mapToInt(Found::bucket).max().orElse(0);
                    reached = Math.min(reached, last);
                }
            }
            return reached;
        }

        private void add(long[] numbers, Found found) {
            numbers[found.bucket] += found.jobs;
        }

        private List<Found> find(Sql count, Parameters end, int partition, long from, int limit) {
            Parameters parameters = end.set("partition", partition)
                    .set("from", from)
                    .set("width", span.width().toMillis())
                    .set("limit", limit);
            List<Found> found = reads.query(
                    DOING, count, parameters, row -> new Found(row.getInt(1), row.getString(2), row.getLong(3)));
            lookedAt += (int) found.stream().mapToLong(Found::jobs).sum();
            return found;
        }

        private void estimate(int reached, List<Integer> partitions, int most) {
            Map<Integer, List<Integer>> byQueue = new TreeMap<>();
            partitions.forEach(partition -> byQueue.computeIfAbsent(
                            partition / Partition.MAX_PER_QUEUE, queue -> new ArrayList<>())
                    .add(partition));
            int limit = Math.max(1, most / (byQueue.size() * (span.buckets() - reached)));
            Arrays.fill(due, reached, due.length, 0);
            Arrays.fill(precision, reached, precision.length, Precision.ABOUT);
            for (List<Integer> ofQueue : byQueue.values()) {
                for (Found found : sample(ofQueue.get(0), reached, limit)) {
                    due[found.bucket] += found.jobs * ofQueue.size();
                    if (found.jobs == limit) {
                        precision[found.bucket] = Precision.AT_LEAST;
                    }
                }
            }
        }

        private List<Found> sample(int partition, int first, int limit) {
            if (countEach != null) {
                Parameters buckets = Parameters.none().set("firstBucket", first).set("lastBucket", span.buckets() - 1);
                return find(countEach, buckets, partition, span.from().toEpochMilli(), limit);
            }
            List<Found> samples = new ArrayList<>();
            for (int bucket = first; bucket < span.buckets(); bucket++) {
                Parameters end = Parameters.none().set("until", span.beginMillis(bucket + 1));
                for (Found found : find(countDue, end, partition, span.beginMillis(bucket), limit)) {
                    samples.add(new Found(bucket, found.name, found.jobs));
                }
            }
            return samples;
        }

        /** If a bucket has no sample, the method uses each name's share in the samples of all buckets. */
        private void scale(Map<String, long[]> sample) {
            long[] sums = new long[span.buckets()];
            sample.values().forEach(jobs -> IntStream.range(0, sums.length).forEach(i -> sums[i] += jobs[i]));
            long all = LongStream.of(sums).sum();
            sample.forEach((name, jobs) -> {
                double usual = (double) LongStream.of(jobs).sum() / Math.max(1, all);
                long[] shares = new long[span.buckets()];
                for (int i = 0; i < shares.length; i++) {
                    double share = sums[i] == 0 ? usual : (double) jobs[i] / sums[i];
                    shares[i] = Math.round(due[i] * share);
                }
                byName.put(name, shares);
            });
        }
    }
}
