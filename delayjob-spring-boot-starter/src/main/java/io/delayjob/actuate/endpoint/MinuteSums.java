package io.delayjob.actuate.endpoint;

import java.util.Arrays;

/** Sums of minutes, in buckets. Used by one thread. */
final class MinuteSums {

    final long[] starts;
    final long[] succeeded;
    final long[] retried;
    final long[] failed;

    /** A histogram of each bucket. */
    final long[][] late;

    private long runNanos;

    MinuteSums(int buckets) {
        this.starts = new long[buckets];
        this.succeeded = new long[buckets];
        this.retried = new long[buckets];
        this.failed = new long[buckets];
        this.late = new long[buckets][MinuteStatistics.BOUNDS.size() + 1];
    }

    void add(int bucket, MinuteRing.Minute minute) {
        starts[bucket] += minute.starts.get();
        succeeded[bucket] += minute.succeeded.get();
        retried[bucket] += minute.retried.get();
        failed[bucket] += minute.failed.get();
        runNanos += minute.runNanos.get();
        for (int bound = 0; bound < late[bucket].length; bound++) {
            late[bucket][bound] += minute.late.get(bound);
        }
    }

    /** @param others sums with the same number of buckets */
    void add(MinuteSums others) {
        add(starts, others.starts);
        add(succeeded, others.succeeded);
        add(retried, others.retried);
        add(failed, others.failed);
        runNanos += others.runNanos;
        for (int bucket = 0; bucket < late.length; bucket++) {
            add(late[bucket], others.late[bucket]);
        }
    }

    private static void add(long[] sums, long[] addends) {
        Arrays.setAll(sums, index -> sums[index] + addends[index]);
    }

    boolean isEmpty() {
        return started() == 0 && ended() == 0;
    }

    long started() {
        return Arrays.stream(starts).sum();
    }

    /** Returns the number of attempts that ended. */
    long ended() {
        return Arrays.stream(succeeded).sum()
                + Arrays.stream(retried).sum()
                + Arrays.stream(failed).sum();
    }

    long runNanos() {
        return runNanos;
    }

    /** Returns the histogram of all buckets together. */
    long[] lateInAll() {
        long[] sum = new long[MinuteStatistics.BOUNDS.size() + 1];
        for (long[] histogram : late) {
            add(sum, histogram);
        }
        return sum;
    }
}
