package io.delayjob.actuate.endpoint;

import io.delayjob.event.JobListener;
import io.delayjob.job.Job;
import io.delayjob.job.JobOutcome;
import io.delayjob.job.Transition;
import io.delayjob.time.EngineClock;
import java.time.Duration;
import java.util.Collections;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.concurrent.ConcurrentHashMap;

/**
 * Counts the work of this instance's handlers in each of the last 60 minutes, in memory: at most 2 MB. Minutes are in
 * store time. An event costs a look into a map and a few atomic additions. Thread-safe.
 */
final class MinuteStatistics implements JobListener {

    static final Duration RETENTION = Duration.ofHours(1);

    /** Upper bounds of lateness, each inclusive. */
    static final List<Duration> BOUNDS = List.of(
            Duration.ofMillis(1),
            Duration.ofMillis(2),
            Duration.ofMillis(5),
            Duration.ofMillis(10),
            Duration.ofMillis(20),
            Duration.ofMillis(50),
            Duration.ofMillis(100),
            Duration.ofMillis(200),
            Duration.ofMillis(500),
            Duration.ofSeconds(1),
            Duration.ofSeconds(5),
            Duration.ofSeconds(10),
            Duration.ofMinutes(1));

    /** Maximum number of handlers with counters of their own. Other handlers count in the totals only. */
    static final int MAX_HANDLERS = 100;

    private static final int MINUTES = (int) RETENTION.toMinutes();

    private static final long MILLIS_PER_MINUTE = Duration.ofMinutes(1).toMillis();

    private final EngineClock clock;
    private final Map<String, MinuteRing> handlers = new ConcurrentHashMap<>();
    private final MinuteRing others = new MinuteRing(MINUTES);

    MinuteStatistics(EngineClock clock) {
        this.clock = clock;
    }

    @Override
    public void started(Job job, Duration lateness) {
        MinuteRing.Minute minute = present(job);
        minute.starts.incrementAndGet();
        minute.late.incrementAndGet(indexOf(lateness));
    }

    /**
     * Returns the index of the first bound that is not exceeded. Compares durations, because centuries overflow
     * nanoseconds.
     */
    private static int indexOf(Duration lateness) {
        int found = Collections.binarySearch(BOUNDS, lateness);
        return found < 0 ? -found - 1 : found;
    }

    @Override
    public void completed(Job job, JobOutcome outcome, Transition next, Duration took) {
        if (outcome instanceof JobOutcome.Skipped) {
            return;
        }
        MinuteRing.Minute minute = present(job);
        minute.runNanos.addAndGet(took.toNanos());
        boolean hasFailed = outcome instanceof JobOutcome.Failed || outcome instanceof JobOutcome.TimedOut;
        if (!hasFailed) {
            minute.succeeded.incrementAndGet();
        } else if (next instanceof Transition.Ended) {
            minute.failed.incrementAndGet();
        } else {
            minute.retried.incrementAndGet();
        }
    }

    private MinuteRing.Minute present(Job job) {
        MinuteRing known = handlers.get(job.name());
        return (known == null ? admit(job.name()) : known).at(minuteNow());
    }

    private MinuteRing admit(String name) {
        if (handlers.size() >= MAX_HANDLERS) {
            return others;
        }
        synchronized (this) {
            return handlers.size() < MAX_HANDLERS
                    ? handlers.computeIfAbsent(name, first -> new MinuteRing(MINUTES))
                    : handlers.getOrDefault(name, others);
        }
    }

    private long minuteNow() {
        return Math.floorDiv(clock.storeMillis(), MILLIS_PER_MINUTE);
    }

    MinutesDescriptor answer(RequestParameters request) {
        MinutesDescriptor.Span span = MinutesDescriptor.span(request, clock.storeTime());
        MinuteSums totals = sums(span, others);
        Map<String, MinuteSums> byName = new TreeMap<>();
        handlers.forEach((name, ring) -> {
            MinuteSums ofHandler = sums(span, ring);
            totals.add(ofHandler);
            if (!ofHandler.isEmpty()) {
                byName.put(name, ofHandler);
            }
        });
        return MinutesDescriptor.of(span, totals, byName);
    }

    private MinuteSums sums(MinutesDescriptor.Span span, MinuteRing ring) {
        long last = minuteNow();
        MinuteSums sums = new MinuteSums(span.buckets());
        ring.forEach(minute -> {
            long bucket = span.bucketOf(minute.number);
            if (minute.number > last - MINUTES && bucket >= 0 && bucket < span.buckets()) {
                sums.add((int) bucket, minute);
            }
        });
        return sums;
    }
}
