package io.delayjob.client;

import static org.assertj.core.api.Assertions.assertThat;

import java.time.Duration;
import org.junit.jupiter.api.Test;
import org.springframework.util.backoff.BackOffExecution;

/** How long a request waits before it is repeated. */
class RetryDelaysTest {

    private final RetryDelays delays = new RetryDelays(3, Duration.ofSeconds(10));
    private final BackOffExecution execution = delays.start();

    @Test
    void delaysGrow_untilTheRetriesAreUsedUp() {
        assertThat(execution.nextBackOff()).isBetween(100L, 300L);
        assertThat(execution.nextBackOff()).isBetween(200L, 600L);
        assertThat(execution.nextBackOff()).isBetween(400L, 1_200L);
        assertThat(execution.nextBackOff()).isEqualTo(BackOffExecution.STOP);
    }

    @Test
    void delay_isAtLeastAsLongAsTheServerAsksFor() {
        delays.askedFor(Duration.ofSeconds(7));
        assertThat(execution.nextBackOff()).isEqualTo(7_000);

        assertThat(execution.nextBackOff()).as("asked for once only").isLessThan(1_000);

        delays.askedFor(Duration.ofMillis(1));
        assertThat(execution.nextBackOff()).as("no shorter than without it").isGreaterThan(300);
    }

    @Test
    void requestIsNotRepeated_ifTheServerAsksForMoreThanTheLongestDelay() {
        delays.askedFor(Duration.ofSeconds(10));
        assertThat(execution.nextBackOff()).isEqualTo(10_000);

        delays.askedFor(Duration.ofMillis(10_001));
        assertThat(execution.nextBackOff()).isEqualTo(BackOffExecution.STOP);
    }
}
