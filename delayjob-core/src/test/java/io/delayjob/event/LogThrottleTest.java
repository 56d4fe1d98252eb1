package io.delayjob.event;

import static org.assertj.core.api.Assertions.assertThat;

import io.delayjob.time.HandClock;
import java.time.Duration;
import org.junit.jupiter.api.Test;

class LogThrottleTest {

    private final HandClock clock = new HandClock();
    private final LogThrottle throttle = new LogThrottle();

    @Test
    void oneLineForEachSubjectAndPeriod_withTheNumberOfSuppressedLines() {
        assertThat(throttle.admit("a", clock.nanoTime())).hasValue(0);
        for (int i = 0; i < 1_000; i++) {
            assertThat(throttle.admit("a", clock.nanoTime())).isEmpty();
        }
        assertThat(throttle.admit("b", clock.nanoTime())).as("another subject").hasValue(0);

        clock.advance(Duration.ofMinutes(10));

        assertThat(throttle.admit("a", clock.nanoTime())).hasValue(1_000);
        assertThat(throttle.admit("a", clock.nanoTime())).isEmpty();
    }

    @Test
    void subjects_areDroppedBeforeTheyFillTheMemory() {
        throttle.admit("first", clock.nanoTime());
        for (int i = 0; i < 1_000; i++) {
            throttle.admit("other-" + i, clock.nanoTime());
        }

        assertThat(throttle.admit("first", clock.nanoTime())).hasValue(0);
    }
}
