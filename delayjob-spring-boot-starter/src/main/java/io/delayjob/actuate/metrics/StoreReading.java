package io.delayjob.actuate.metrics;

import io.delayjob.store.StoreException;
import io.delayjob.time.EngineClock;
import java.time.Duration;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.function.BooleanSupplier;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/**
 * A value from the store, for meters. The value is read again only after a pause. While the store fails, the value is
 * not read, because readers of meters must not wait. Thread-safe.
 */
final class StoreReading<T> {

    private final Supplier<T> source;
    private final EngineClock clock;
    private final long pauseNanos;
    private final BooleanSupplier inTrouble;
    private final AtomicBoolean asking = new AtomicBoolean();
    private volatile @Nullable Answer<T> last;

    private record Answer<T>(long askedNanos, @Nullable T value) {}

    StoreReading(Supplier<T> source, EngineClock clock, Duration pause, BooleanSupplier inTrouble) {
        this.source = source;
        this.clock = clock;
        this.pauseNanos = pause.toNanos();
        this.inTrouble = inTrouble;
    }

    /** Returns {@code null} if the store fails, or if another reader still waits for the first answer of the store. */
    @Nullable
    T get() {
        Answer<T> answer = last;
        if (!isFresh(answer) && asking.compareAndSet(false, true)) {
            try {
                if (!isFresh(last)) {
                    last = new Answer<>(clock.nanoTime(), ask());
                }
                answer = last;
            } finally {
                asking.set(false);
            }
        }
        return answer == null ? null : answer.value;
    }

    private boolean isFresh(@Nullable Answer<T> answer) {
        return answer != null && clock.nanoTime() - answer.askedNanos < pauseNanos;
    }

    private @Nullable T ask() {
        if (inTrouble.getAsBoolean()) {
            return null;
        }
        try {
            return source.get();
        } catch (StoreException away) {
            return null;
        }
    }
}
