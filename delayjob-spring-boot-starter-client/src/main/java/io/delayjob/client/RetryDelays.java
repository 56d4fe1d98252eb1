package io.delayjob.client;

import java.time.Duration;
import org.springframework.util.backoff.BackOff;
import org.springframework.util.backoff.BackOffExecution;
import org.springframework.util.backoff.ExponentialBackOff;

/**
 * The growing delays before the repetitions of one request. If the server requests a longer delay than the maximum, the
 * request is not repeated. Used by one thread.
 */
final class RetryDelays implements BackOff {

    private static final Duration FIRST = Duration.ofMillis(200);
    private static final Duration JITTER = Duration.ofMillis(100);
    private static final Duration MAX_GROWN = Duration.ofSeconds(5);

    private final ExponentialBackOff growing = new ExponentialBackOff(FIRST.toMillis(), 2);
    private final Duration longest;
    private Duration asked = Duration.ZERO;

    RetryDelays(int retries, Duration longest) {
        growing.setJitter(JITTER.toMillis());
        growing.setMaxInterval(MAX_GROWN.toMillis());
        growing.setMaxAttempts(retries);
        this.longest = longest;
    }

    /** @param delay the delay that the server requested in its last answer; zero if it requested no delay */
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
