package io.delayjob.actuate.endpoint;

import java.time.Duration;
import java.util.concurrent.Semaphore;
import java.util.concurrent.TimeUnit;
import java.util.function.Supplier;

/** Limits the threads that read the store for viewers, so that enough connections remain for jobs. Thread-safe. */
final class ReadGate {

    static final int AT_A_TIME = 2;

    private final Semaphore places = new Semaphore(AT_A_TIME, true);
    private final Duration patience;

    ReadGate(Duration patience) {
        this.patience = patience;
    }

    <T> T read(Supplier<T> source) {
        if (!hasPlace()) {
            throw new TooManyReadsException();
        }
        try {
            return source.get();
        } finally {
            places.release();
        }
    }

    private boolean hasPlace() {
        try {
            return places.tryAcquire(patience.toNanos(), TimeUnit.NANOSECONDS);
        } catch (InterruptedException asked) {
            Thread.currentThread().interrupt();
            return false;
        }
    }
}
