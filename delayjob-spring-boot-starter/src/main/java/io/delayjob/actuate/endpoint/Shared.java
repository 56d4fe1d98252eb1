package io.delayjob.actuate.endpoint;

import io.delayjob.time.EngineClock;
import java.time.Duration;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/** An answer that is shared by all callers within a period. One of them computes it. Thread-safe. */
final class Shared<T> {

    private final Supplier<T> source;
    private final EngineClock clock;
    private final long lastsNanos;
    private @Nullable T value;
    private long readNanos;

    Shared(Supplier<T> source, EngineClock clock, Duration lasts) {
        this.source = source;
        this.clock = clock;
        this.lastsNanos = lasts.toNanos();
    }

    synchronized T get() {
        T known = value;
        if (known != null && clock.nanoTime() - readNanos < lastsNanos) {
            return known;
        }
        T read = source.get();
        value = read;
        readNanos = clock.nanoTime();
        return read;
    }
}
