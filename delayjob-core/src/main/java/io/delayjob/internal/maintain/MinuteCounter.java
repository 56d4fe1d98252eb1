package io.delayjob.internal.maintain;

import io.delayjob.event.JobListener;
import io.delayjob.job.Job;
import io.delayjob.job.JobOutcome;
import io.delayjob.job.Transition;
import io.delayjob.store.MinuteCounts;
import io.delayjob.store.MinuteRow;
import io.delayjob.time.EngineClock;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;

/**
 * Counts the attempts of each handler on this instance. Each minute of store time has its own count. The counts are
 * kept for at most an hour. Takes at most 2 MB. Thread-safe.
 */
final class MinuteCounter implements JobListener {

    static final Duration LONGEST = Duration.ofHours(1);

    static final int MAX_HANDLERS = 100;

    private static final int MINUTES = (int) LONGEST.toMinutes();

    private static final long MILLIS_PER_MINUTE = Duration.ofMinutes(1).toMillis();

    private final EngineClock clock;
    private final Map<String, MinuteRing> handlers = new ConcurrentHashMap<>();
    private final MinuteRing others = new MinuteRing(MINUTES);

    MinuteCounter(EngineClock clock) {
        this.clock = clock;
    }

    @Override
    public void started(Job job, Duration lateness) {
        MinuteRing.Minute minute = present(job);
        minute.starts.incrementAndGet();
        minute.late.incrementAndGet(MinuteCounts.lateIndex(lateness));
    }

    @Override
    public void completed(Job job, JobOutcome outcome, Transition next, Duration took) {
        if (outcome.leavesOutRun()) {
            return;
        }
        MinuteRing.Minute minute = present(job);
        minute.runNanos.addAndGet(took.toNanos());
        if (outcome instanceof JobOutcome.Awaited) {
            return;
        }
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
        return (known == null ? admit(job.name()) : known).at(presentNumber());
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

    private long presentNumber() {
        return Math.floorDiv(clock.storeMillis(), MILLIS_PER_MINUTE);
    }

    Instant presentMinute() {
        return instant(presentNumber());
    }

    private static Instant instant(long number) {
        return Instant.ofEpochMilli(number * MILLIS_PER_MINUTE);
    }

    List<MinuteRow> rows() {
        long first = presentNumber() - MINUTES + 1;
        List<MinuteRow> rows = new ArrayList<>();
        handlers.forEach((name, ring) -> addTo(rows, name, ring, first));
        addTo(rows, MinuteRow.OTHERS, others, first);
        return rows;
    }

    private static void addTo(List<MinuteRow> rows, String name, MinuteRing ring, long first) {
        ring.forEach(minute -> {
            if (minute.number >= first) {
                rows.add(new MinuteRow(instant(minute.number), name, minute.counts()));
            }
        });
    }

    void forget(Instant minute) {
        long number = Math.floorDiv(minute.toEpochMilli(), MILLIS_PER_MINUTE);
        handlers.values().forEach(ring -> ring.forget(number));
        others.forget(number);
    }
}
