package io.delayjob.internal.engine;

import io.delayjob.event.JobListener;
import io.delayjob.job.Job;
import io.delayjob.job.JobOutcome;
import io.delayjob.job.Transition;
import io.delayjob.store.MinuteCounts;
import io.delayjob.store.Vitals;
import java.time.Duration;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Deque;
import java.util.List;
import java.util.concurrent.atomic.AtomicLongArray;
import java.util.concurrent.atomic.LongAdder;

/** Counts the starts and ends of attempts on this instance. Thread-safe, except for {@link #rates}. */
public final class Traffic implements JobListener {

    private static final long RATES_OVER = Duration.ofSeconds(10).toNanos();

    private static final long LATENESS_OVER = Duration.ofMinutes(5).toNanos();

    /** Minimum time between two samples. More samples would not make the rates more exact. */
    private static final long BETWEEN_SAMPLES = Duration.ofSeconds(2).toNanos();

    private final LongAdder starts = new LongAdder();
    private final LongAdder ends = new LongAdder();
    private final AtomicLongArray late = new AtomicLongArray(MinuteCounts.LATE_SIZE);

    private final Deque<Sample> samples = new ArrayDeque<>();

    private record Sample(long nanos, long starts, long ends, List<Long> late) {}

    @Override
    public void started(Job job, Duration lateness) {
        starts.increment();
        late.incrementAndGet(MinuteCounts.lateIndex(lateness));
    }

    @Override
    public void completed(Job job, JobOutcome outcome, Transition next, Duration took) {
        if (!outcome.leavesOutRun()) {
            ends.increment();
        }
    }

    Vitals.Rates rates(long nowNanos) {
        Sample present = new Sample(nowNanos, starts.sum(), ends.sum(), lateNow());
        while (samples.size() > 1 && nowNanos - second().nanos >= LATENESS_OVER) {
            samples.removeFirst();
        }
        Sample oldest = samples.isEmpty() ? present : samples.getFirst();
        Sample before = oldest;
        for (Sample sample : samples) {
            if (nowNanos - sample.nanos >= RATES_OVER) {
                before = sample;
            }
        }
        if (samples.isEmpty() || nowNanos - samples.getLast().nanos >= BETWEEN_SAMPLES) {
            samples.addLast(present);
        }
        double seconds = (nowNanos - before.nanos) / 1e9;
        List<Long> lately = new ArrayList<>();
        for (int i = 0; i < present.late.size(); i++) {
            lately.add(present.late.get(i) - oldest.late.get(i));
        }
        return new Vitals.Rates(
                perSecond(present.starts - before.starts, seconds),
                perSecond(present.ends - before.ends, seconds),
                lately);
    }

    private Sample second() {
        return samples.stream().skip(1).findFirst().orElseThrow();
    }

    private List<Long> lateNow() {
        List<Long> counts = new ArrayList<>();
        for (int i = 0; i < late.length(); i++) {
            counts.add(late.get(i));
        }
        return counts;
    }

    /** Rounds the rate, because more digits would only make the heartbeat longer. */
    private static double perSecond(long events, double seconds) {
        return seconds <= 0 ? 0 : Math.round(events / seconds * 100) / 100.0;
    }
}
