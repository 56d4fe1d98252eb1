package io.delayjob.proofs.chaos;

import io.delayjob.schedule.Repeat;
import java.time.Duration;
import java.util.Locale;
import org.jspecify.annotations.Nullable;

/** The kinds of jobs. For each kind, there is a handler with this name. */
enum Kind {
    /** The handler ends at once. */
    NOTE(null),
    /** The handler takes a while, so that faults happen during its attempts. */
    HOLD(null),
    /** The handler writes a row in the transaction that ends its attempt. Then it waits a moment before the commit. */
    ATOMIC(null),
    /** The handler throws an exception at the first attempt. */
    FLAKY(null),
    /** The job runs three times. */
    SEQUENCE(Repeat.finite(Duration.ofMillis(300), Duration.ofMillis(500), Duration.ofMillis(400))),
    /** The handler calls the answerer and awaits its answer. */
    AWAIT(null),
    /** Like {@link #AWAIT}, but the job runs three times. */
    AWAIT_SEQUENCE(Repeat.finite(Duration.ofMillis(300), Duration.ofMillis(500), Duration.ofMillis(400))),
    /** The job has one of many mutexes. */
    MUTEX(null),
    /** All jobs of this kind have one mutex. Some {@link #MUTEX} jobs have the same mutex. */
    HOT_MUTEX(null),
    /** The handler has a limit that counts in the cluster. */
    LIMIT(null),
    /** The handler has a limit that counts in the cluster and is lower than the number of partitions. */
    LOW_LIMIT(null),
    /** The handler has a rate. */
    RATE(null),
    /** The queue of the job has a rate. */
    QUEUE_RATE(null),
    /** The handler has a rate by key. */
    KEY_RATE(null),
    /** The handler has fair keys: one tenant has many jobs, and each other tenant has a single job. */
    FAIR(null);

    private final @Nullable Repeat schedule;

    Kind(@Nullable Repeat schedule) {
        this.schedule = schedule;
    }

    /** {@code null} means that jobs of this kind run once. */
    @Nullable
    Repeat schedule() {
        return schedule;
    }

    int runs() {
        return schedule == null ? 1 : 3;
    }

    boolean awaits() {
        return this == AWAIT || this == AWAIT_SEQUENCE;
    }

    String handler() {
        return name().toLowerCase(Locale.ROOT);
    }

    static Kind of(String handler) {
        return valueOf(handler.toUpperCase(Locale.ROOT));
    }
}
