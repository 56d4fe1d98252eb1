package io.delayjob.actuate.endpoint;

import java.util.concurrent.atomic.AtomicLong;
import java.util.concurrent.atomic.AtomicLongArray;
import java.util.concurrent.atomic.AtomicReferenceArray;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/** The counters of the newest minutes in which something happened. Thread-safe, without locks. */
final class MinuteRing {

    /** What happened in a minute. */
    static final class Minute {

        final long number;
        final AtomicLong starts = new AtomicLong();
        final AtomicLong succeeded = new AtomicLong();
        final AtomicLong retried = new AtomicLong();
        final AtomicLong failed = new AtomicLong();
        final AtomicLong runNanos = new AtomicLong();
        final AtomicLongArray late = new AtomicLongArray(MinuteStatistics.BOUNDS.size() + 1);

        private Minute(long number) {
            this.number = number;
        }
    }

    private final AtomicReferenceArray<@Nullable Minute> minutes;

    MinuteRing(int size) {
        this.minutes = new AtomicReferenceArray<>(size);
    }

    /**
     * The counters of this minute, in place of those of a ring's length before.
     *
     * @param number minutes since the epoch
     */
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

    void forEach(Consumer<Minute> reader) {
        for (int index = 0; index < minutes.length(); index++) {
            Minute minute = minutes.get(index);
            if (minute != null) {
                reader.accept(minute);
            }
        }
    }
}
