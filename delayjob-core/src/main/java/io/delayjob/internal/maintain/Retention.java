package io.delayjob.internal.maintain;

import io.delayjob.job.JobState;
import io.delayjob.store.JobRetention;
import io.delayjob.time.Agent;
import io.delayjob.time.EngineClock;
import java.time.Duration;
import java.util.Comparator;
import java.util.Map;
import java.util.function.Supplier;
import java.util.stream.Collectors;
import java.util.stream.Stream;

/** Deletes ended jobs after their retention time, in small chunks, so that no lock is held for long. */
public final class Retention implements Agent {

    private static final int CHUNK = 1_000;
    private static final Duration SHORTEST_PAUSE = Duration.ofMinutes(1);

    /** A job may be deleted late, by at most the retention time divided by this number. */
    private static final int LATENESS_DIVISOR = 1_000;

    /**
     * Maximum retention time. With a longer time, jobs are never deleted, because computations with such times would
     * overflow.
     */
    static final Duration CENTURY = Duration.ofDays(36_525);

    private final JobRetention store;
    private final EngineClock clock;
    private final Map<JobState, Duration> kept;
    private final Supplier<Stream<Duration>> ofHandlers;

    /**
     * @param kept the retention time of jobs for each end state; more than a century means that they are never deleted
     * @param ofHandlers returns the retention times that handlers of this instance state; they only shorten the pause
     */
    public Retention(
            JobRetention store,
            EngineClock clock,
            Map<JobState, Duration> kept,
            Supplier<Stream<Duration>> ofHandlers) {
        this.store = store;
        this.clock = clock;
        this.ofHandlers = ofHandlers;
        this.kept = kept.entrySet().stream()
                .filter(entry -> entry.getValue().compareTo(CENTURY) <= 0)
                .collect(Collectors.toUnmodifiableMap(Map.Entry::getKey, Map.Entry::getValue));
    }

    @Override
    public String roleName() {
        return "retention";
    }

    @Override
    public long doWork() {
        boolean more = false;
        for (Map.Entry<JobState, Duration> entry : kept.entrySet()) {
            more |= store.purgeHistory(entry.getKey(), clock.storeTime().minus(entry.getValue()), CHUNK) == CHUNK;
        }
        more |= store.purgeKept(clock.storeTime(), CHUNK) == CHUNK;
        return more ? 0 : pauseNanos();
    }

    private long pauseNanos() {
        Duration pause = Stream.concat(kept.values().stream(), ofHandlers.get())
                .filter(duration -> !duration.isZero())
                .map(duration -> duration.dividedBy(LATENESS_DIVISOR))
                .min(Comparator.naturalOrder())
                .orElse(SHORTEST_PAUSE);
        return Math.max(pause.toNanos(), SHORTEST_PAUSE.toNanos());
    }
}
