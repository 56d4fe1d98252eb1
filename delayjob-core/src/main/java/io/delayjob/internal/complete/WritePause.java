package io.delayjob.internal.complete;

import io.delayjob.job.DueRow;
import io.delayjob.time.EngineClock;
import java.time.Duration;
import org.jspecify.annotations.Nullable;

/**
 * Computes the pause of the {@link Completer} after a write. A pause is nine times as long as the write, but at most 10
 * ms. So quick writes take up only a tenth of the total time.
 *
 * <p>Any thread may {@linkplain #isShortenedBy shorten} a pause. Only the agent's thread calls the other methods.
 */
final class WritePause {

    private static final int TIMES_WRITE = 9;
    private static final long LONGEST_NANOS = Duration.ofMillis(10).toNanos();

    private static final int SHORT_TIMES_WRITE = 4;
    private static final long LONGEST_SHORT_NANOS = Duration.ofMillis(5).toNanos();

    private long answeredNanos;
    private long writeNanos;
    private volatile boolean shortened;

    void begin(long sentNanos, long answeredNanos) {
        this.answeredNanos = answeredNanos;
        writeNanos = answeredNanos - sentNanos;
    }

    void end() {
        shortened = false;
    }

    long left(long nowNanos) {
        long length = shortened
                ? Math.min(SHORT_TIMES_WRITE * writeNanos, LONGEST_SHORT_NANOS)
                : Math.min(TIMES_WRITE * writeNanos, LONGEST_NANOS);
        return length == 0 ? 0 : Math.max(0, length - (nowNanos - answeredNanos));
    }

    boolean isShortenedBy(@Nullable DueRow waiting, EngineClock clock) {
        boolean shortens = !shortened
                && waiting != null
                && waiting.dueMillis() - clock.storeMillis()
                        < Duration.ofNanos(LONGEST_NANOS).toMillis();
        if (shortens) {
            shortened = true;
        }
        return shortens;
    }
}
