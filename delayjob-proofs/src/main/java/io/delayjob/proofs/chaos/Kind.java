package io.delayjob.proofs.chaos;

import io.delayjob.schedule.Repeat;
import java.time.Duration;
import java.util.Locale;
import org.jspecify.annotations.Nullable;

/** A kind of job. For each kind, there is a handler whose name is the name of the kind. */
enum Kind {
    NOTE(null),
    /** The handler takes a while, so that faults happen during its attempts. */
    HOLD(null),
    /** The handler writes a row in the transaction that ends its attempt. Then it waits a moment before the commit. */
    ATOMIC(null),
    FLAKY(null),
    SEQUENCE(Repeat.finite(Duration.ofMillis(300), Duration.ofMillis(500), Duration.ofMillis(400))),
    AWAIT(null),
    AWAIT_SEQUENCE(Repeat.finite(Duration.ofMillis(300), Duration.ofMillis(500), Duration.ofMillis(400))),
    MUTEX(null),
    /** All jobs of this kind have one mutex. Some {@link #MUTEX} jobs also use this mutex. */
    HOT_MUTEX(null),
    LIMIT(null),
    /** The limit is lower than the number of partitions. */
    LOW_LIMIT(null),
    RATE(null),
    QUEUE_RATE(null),
    KEY_RATE(null),
    /** One tenant has many jobs, and each other tenant has a single job. */
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
