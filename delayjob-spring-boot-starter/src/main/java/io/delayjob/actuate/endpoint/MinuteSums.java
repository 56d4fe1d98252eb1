package io.delayjob.actuate.endpoint;

import io.delayjob.store.MinuteCounts;
import java.time.Duration;
import java.util.Arrays;

/** Adds up the statistics of minutes for each bucket of time. Used by one thread. */
final class MinuteSums {

    final long[] starts;
    final long[] succeeded;
    final long[] retried;
    final long[] failed;

    final long[][] late;

    private Duration runTime = Duration.ZERO;

    MinuteSums(int buckets) {
        this.starts = new long[buckets];
        this.succeeded = new long[buckets];
        this.retried = new long[buckets];
        this.failed = new long[buckets];
        this.late = new long[buckets][MinuteCounts.LATE_SIZE];
    }

    void add(int bucket, MinuteCounts counts) {
        starts[bucket] += counts.starts();
        succeeded[bucket] += counts.succeeded();
        retried[bucket] += counts.retried();
        failed[bucket] += counts.failed();
        runTime = runTime.plus(counts.runTime());
        Arrays.setAll(late[bucket], bound -> late[bucket][bound] + counts.late().get(bound));
    }

    long started() {
        return Arrays.stream(starts).sum();
    }

    long ended() {
        return Arrays.stream(succeeded).sum()
                + Arrays.stream(retried).sum()
                + Arrays.stream(failed).sum();
    }

    Duration runTime() {
        return runTime;
    }

    long[] lateInAll() {
        long[] sum = new long[MinuteCounts.LATE_SIZE];
        for (long[] histogram : late) {
            Arrays.setAll(sum, bound -> sum[bound] + histogram[bound]);
        }
        return sum;
    }
}
