package io.delayjob.internal.lane;

import io.delayjob.job.JobId;
import io.delayjob.time.EngineClock;
import java.time.Duration;
import java.util.LinkedHashMap;
import java.util.Map;

/**
 * Contains jobs that this instance cannot read. This instance leaves such jobs for a while to instances of another
 * version. The lock of {@link Tickets} guards this object.
 */
final class SetAside {

    private static final int MAX_REMEMBERED = 100_000;
    private static final long FIRST_PAUSE_NANOS = Duration.ofSeconds(1).toNanos();
    private static final long LONGEST_PAUSE_NANOS = Duration.ofSeconds(64).toNanos();

    private final EngineClock clock;
    private final Map<JobId, Pause> pauses = new LinkedHashMap<>();

    SetAside(EngineClock clock) {
        this.clock = clock;
    }

    void add(JobId job) {
        Pause before = pauses.remove(job);
        long nanos = before == null ? FIRST_PAUSE_NANOS : Math.min(2 * before.nanos, LONGEST_PAUSE_NANOS);
        if (pauses.size() >= MAX_REMEMBERED) {
            pauses.remove(pauses.keySet().iterator().next());
        }
        pauses.put(job, new Pause(clock.nanoTime() + nanos, nanos));
    }

    boolean contains(JobId job) {
        Pause pause = pauses.isEmpty() ? null : pauses.get(job);
        return pause != null && clock.nanoTime() - pause.untilNanos < 0;
    }

    private record Pause(long untilNanos, long nanos) {}
}
