package io.delayjob.client;

import java.time.Duration;
import org.springframework.util.backoff.BackOff;
import org.springframework.util.backoff.BackOffExecution;
import org.springframework.util.backoff.ExponentialBackOff;

/**
 * The delays before the repetitions of one request. The delays grow, and each is at least as long as the server has
 * requested. If the server requests a longer delay than the maximum, the request is not repeated. The reason is that
 * the caller should not wait so long. Used by one thread.
 */
final class RetryDelays implements BackOff {

    private static final Duration FIRST = Duration.ofMillis(200);
    private static final Duration JITTER = Duration.ofMillis(100);
    private static final Duration MAX_GROWN = Duration.ofSeconds(5);

    private final ExponentialBackOff growing = new ExponentialBackOff(FIRST.toMillis(), 2);
    private final Duration longest;
    private Duration asked = Duration.ZERO;

    /** @param longest the longest delay that the server may request */
    RetryDelays(int retries, Duration longest) {
        growing.setJitter(JITTER.toMillis());
        growing.setMaxInterval(MAX_GROWN.toMillis());
        growing.setMaxAttempts(retries);
        this.longest = longest;
    }

    /** Sets the delay that the server requested in its last answer; zero if it requested none. */
    void askedFor(Duration delay) {
        asked = delay;
    }

    @Override
    public BackOffExecution start() {
        BackOffExecution own = growing.start();
        return () -> {
            long delay = own.nextBackOff();
            Duration least = asked;
            asked = Duration.ZERO;
            return delay == BackOffExecution.STOP || least.compareTo(longest) > 0
                    ? BackOffExecution.STOP
                    : Math.max(delay, least.toMillis());
        };
    }
}
