package io.delayjob.actuate.endpoint;

import io.delayjob.time.EngineClock;
import java.time.Duration;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.ReentrantLock;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/**
 * An answer that several callers share for some time. While one caller reads a new answer, other callers get the
 * previous answer. Thread-safe.
 */
final class Shared<T> {

    /**
     * During this time after a failure, nothing is read. Otherwise, all viewers would wait for an unavailable store.
     */
    static final Duration FAILURE_LASTS = Duration.ofSeconds(2);

    private static final Duration PATIENCE = Duration.ofSeconds(1);

    private final Supplier<T> source;
    private final EngineClock clock;
    private final long lastsNanos;
    private final Duration patience;
    private final ReentrantLock reading = new ReentrantLock();
    private volatile @Nullable Read<T> last;
    private volatile @Nullable Failed failed;

    private record Read<T>(T value, long nanos) {}

    private record Failed(RuntimeException reason, long nanos) {}

    Shared(Supplier<T> source, EngineClock clock, Duration lasts) {
        this(source, clock, lasts, PATIENCE);
    }

    /** @param patience maximum time that a caller waits while another caller reads the first answer */
    Shared(Supplier<T> source, EngineClock clock, Duration lasts, Duration patience) {
        this.source = source;
        this.clock = clock;
        this.lastsNanos = lasts.toNanos();
        this.patience = patience;
    }

    /** @throws TooManyReadsException if another thread reads the first answer for longer than this caller's patience */
    T get() {
        Read<T> known = last;
        if (known != null && clock.nanoTime() - known.nanos < lastsNanos) {
            return known.value;
        }
        Failed failure = failed;
        if (failure != null && clock.nanoTime() - failure.nanos < FAILURE_LASTS.toNanos()) {
            return valueOr(known, failure.reason);
        }
        return hasTurn(known != null) ? readNow() : valueOr(known, new TooManyReadsException());
    }

    private static <T> T valueOr(@Nullable Read<T> known, RuntimeException otherwise) {
        if (known == null) {
            throw otherwise;
        }
        return known.value;
    }

    private boolean hasTurn(boolean atOnce) {
        try {
            return atOnce ? reading.tryLock() : reading.tryLock(patience.toNanos(), TimeUnit.NANOSECONDS);
        } catch (InterruptedException asked) {
            Thread.currentThread().interrupt();
            return false;
        }
    }

    private T readNow() {
        try {
            Read<T> known = last;
            if (known == null || clock.nanoTime() - known.nanos >= lastsNanos) {
                known = new Read<>(source.get(), clock.nanoTime());
                last = known;
                failed = null;
            }
            return known.value;
        } catch (RuntimeException failure) {
            failed = new Failed(failure, clock.nanoTime());
            return valueOr(last, failure);
        } finally {
            reading.unlock();
        }
    }
}
