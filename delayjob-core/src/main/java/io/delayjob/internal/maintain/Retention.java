package io.delayjob.internal.maintain;

import io.delayjob.job.JobState;
import io.delayjob.store.JobRetention;
import io.delayjob.store.StoreException;
import io.delayjob.time.Agent;
import io.delayjob.time.EngineClock;
import java.time.Duration;
import java.util.Comparator;
import java.util.Map;
import java.util.function.IntSupplier;
import java.util.function.Supplier;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/** Deletes jobs some time after their end, in small steps, so that no lock is held for long. */
public final class Retention implements Agent {

    private static final int CHUNK = 1_000;
    private static final Duration SHORTEST_PAUSE = Duration.ofMinutes(1);

    /**
     * The maximum delay of a deletion is the retention time divided by this number, but at least {@link
     * #SHORTEST_PAUSE}.
     */
    private static final int LATENESS_DIVISOR = 1_000;

    /** If a retention time is longer than this, the jobs are never deleted, because computations could overflow. */
    static final Duration CENTURY = Duration.ofDays(36_525);

    private final JobRetention store;
    private final EngineClock clock;
    private final Map<JobState, Duration> kept;
    private final Supplier<Stream<Duration>> ofHandlers;

    /** @param ofHandlers retention times of handlers; they are used only to shorten the pause between two deletions */
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
        Deletions deletions = new Deletions();
        kept.forEach((state, time) ->
                deletions.add(() -> store.purgeHistory(state, clock.storeTime().minus(time), CHUNK)));
        deletions.add(() -> store.purgeKept(clock.storeTime(), CHUNK));
        return deletions.isAnyLeft() ? 0 : pauseNanos();
    }

    /** If the store refuses one deletion, perhaps because of a single row, the other deletions still take place. */
    private static final class Deletions {

        private boolean isAnyLeft;
        private @Nullable RuntimeException refused;

        void add(IntSupplier deletion) {
            try {
                isAnyLeft |= deletion.getAsInt() == CHUNK;
            } catch (RuntimeException failed) {
                if (failed instanceof StoreException said && said.isTransient()) {
                    throw failed;
                }
                refused = failed;
            }
        }

        boolean isAnyLeft() {
            if (refused != null) {
                throw refused;
            }
            return isAnyLeft;
        }
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
