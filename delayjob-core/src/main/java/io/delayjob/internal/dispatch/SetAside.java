package io.delayjob.internal.dispatch;

import io.delayjob.job.JobId;
import io.delayjob.time.EngineClock;
import java.time.Duration;
import java.util.LinkedHashMap;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * Jobs that this instance cannot read. They are remembered for a while, so that this instance does not claim them again
 * and again. Instances of a newer or older version may claim them. Their number is bounded; a forgotten job is merely
 * tried once more. Guarded by the lock of {@link Tickets}.
 */
final class SetAside {

    private static final int MAX_REMEMBERED = 100_000;
    private static final long FIRST_PAUSE_NANOS = Duration.ofSeconds(1).toNanos();
    private static final int MAX_DOUBLINGS = 6;

    private final EngineClock clock;

    private final Map<JobId, Pause> pauses = new LinkedHashMap<>() {
        private static final long serialVersionUID = 1;

        @Override
        protected boolean removeEldestEntry(Map.@Nullable Entry<JobId, Pause> eldest) {
            return size() > MAX_REMEMBERED;
        }
    };

    SetAside(EngineClock clock) {
        this.clock = clock;
    }

    void add(JobId job) {
        Pause before = pauses.remove(job);
        int times = before == null ? 0 : Math.min(before.times + 1, MAX_DOUBLINGS);
        pauses.put(job, new Pause(clock.nanoTime() + (FIRST_PAUSE_NANOS << times), times));
    }

    boolean contains(JobId job) {
        Pause pause = pauses.isEmpty() ? null : pauses.get(job);
        return pause != null && clock.nanoTime() - pause.untilNanos < 0;
    }

    private record Pause(long untilNanos, int times) {}
}
