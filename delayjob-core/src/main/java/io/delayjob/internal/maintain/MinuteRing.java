package io.delayjob.internal.maintain;

import io.delayjob.store.MinuteCounts;
import java.time.Duration;
import java.util.concurrent.atomic.AtomicLong;
import java.util.concurrent.atomic.AtomicLongArray;
import java.util.concurrent.atomic.AtomicReferenceArray;
import java.util.function.Consumer;
import java.util.stream.IntStream;
import org.jspecify.annotations.Nullable;

/** Contains the counters of the newest minutes. Thread-safe without locks. */
final class MinuteRing {

    static final class Minute {

        final long number;
        final AtomicLong starts = new AtomicLong();
        final AtomicLong succeeded = new AtomicLong();
        final AtomicLong retried = new AtomicLong();
        final AtomicLong failed = new AtomicLong();
        final AtomicLong runNanos = new AtomicLong();
        final AtomicLongArray late = new AtomicLongArray(MinuteCounts.LATE_SIZE);

        private Minute(long number) {
            this.number = number;
        }

        MinuteCounts counts() {
            return new MinuteCounts(
                    starts.get(),
                    succeeded.get(),
                    retried.get(),
                    failed.get(),
                    Duration.ofNanos(runNanos.get()),
                    IntStream.range(0, late.length()).mapToObj(late::get).toList());
        }
    }

    private final AtomicReferenceArray<@Nullable Minute> minutes;

    MinuteRing(int size) {
        this.minutes = new AtomicReferenceArray<>(size);
    }

    Minute at(long number) {
        int index = Math.floorMod(number, minutes.length());
        Minute kept = minutes.get(index);
        while (kept == null || kept.number != number) {
            Minute begun = new Minute(number);
            if (minutes.compareAndSet(index, kept, begun)) {
                return begun;
            }
            kept = minutes.get(index);
        }
        return kept;
    }

    void forget(long number) {
        int index = Math.floorMod(number, minutes.length());
        Minute kept = minutes.get(index);
        if (kept != null && kept.number == number) {
            minutes.compareAndSet(index, kept, null);
        }
    }

    void forEach(Consumer<Minute> reader) {
        for (int index = 0; index < minutes.length(); index++) {
            Minute minute = minutes.get(index);
            if (minute != null) {
                reader.accept(minute);
            }
        }
    }
}
