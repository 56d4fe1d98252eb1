package io.delayjob.internal.dispatch;

import io.delayjob.time.EngineClock;
import java.time.Duration;
import java.util.function.BooleanSupplier;
import org.jspecify.annotations.Nullable;

/**
 * Lets one claim at a time of what has piled up be under way while jobs come due on time, so that there is always a
 * claimer free for them. Guarded by the lock of {@link Tickets}.
 */
final class BacklogTurn {

    /** Where nothing has come due for that long, and nothing is about to, a backlog may have both claimers. */
    private static final long STILL_NANOS = Duration.ofSeconds(10).toNanos();

    /** The claim of a backlog is answered within this time, or hangs; then it no longer holds up the next one. */
    private static final long PATIENCE_NANOS = Duration.ofMillis(100).toNanos();

    private final EngineClock clock;
    private final BooleanSupplier expectsRows;
    private @Nullable Batch underWay;
    private long sinceNanos;
    private @Nullable Long cameDueAtNanos;

    /** @param expectsRows whether rows wait in memory for their time */
    BacklogTurn(EngineClock clock, BooleanSupplier expectsRows) {
        this.clock = clock;
        this.expectsRows = expectsRows;
    }

    /** Something has come due on time. */
    void cameDue() {
        cameDueAtNanos = clock.nanoTime();
    }

    boolean isFree() {
        return nanosUntilFree() == 0;
    }

    long nanosUntilFree() {
        if (underWay == null) {
            return 0;
        }
        long now = clock.nanoTime();
        boolean still = !expectsRows.getAsBoolean() && (cameDueAtNanos == null || now - cameDueAtNanos > STILL_NANOS);
        return still ? 0 : Math.max(0, sinceNanos + PATIENCE_NANOS - now);
    }

    void begin(Batch claim) {
        underWay = claim;
        sinceNanos = clock.nanoTime();
    }

    /** This claim is answered, or has failed. */
    void end(Batch claim) {
        if (underWay == claim) {
            underWay = null;
        }
    }
}
