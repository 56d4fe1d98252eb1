package io.delayjob.test;

import static org.assertj.core.api.Assertions.assertThat;

import io.delayjob.handler.Handler;
import io.delayjob.schedule.Repeat;
import java.lang.management.ManagementFactory;
import java.time.Duration;
import org.junit.jupiter.api.Test;

/**
 * Tests the times that docs/testing.md states for a year in virtual time. The test measures the processor time of its
 * own thread, which other builds on the same machine do not affect.
 */
class YearInVirtualTimeTest {

    private static final Duration YEAR = Duration.ofDays(365);

    private final DelayJobTester tester = DelayJobTester.create();
    private int runs;

    YearInVirtualTimeTest() {
        tester.register(Handler.named("job").calls((arguments, job) -> {
            runs++;
            return null;
        }));
    }

    @Test
    void yearOfAnHourlyJob_passesInSeconds() {
        tester.operations().schedule("job").repeat(Repeat.every(Duration.ofHours(1)));
        liveAYear();
        runs = 0;

        Duration took = liveAYear();

        assertThat(runs).isEqualTo(8_760);
        assertThat(took).as("once the JVM is warm").isLessThan(Duration.ofSeconds(5));
    }

    @Test
    void yearOfAJobEveryFiveMinutes_passesInSeconds() {
        tester.operations().schedule("job").repeat(Repeat.every(Duration.ofMinutes(5)));

        Duration took = liveAYear();

        assertThat(runs).isEqualTo(105_120);
        assertThat(took).isLessThan(Duration.ofSeconds(20));
    }

    private Duration liveAYear() {
        long before = ManagementFactory.getThreadMXBean().getCurrentThreadCpuTime();
        tester.advance(YEAR);
        return Duration.ofNanos(ManagementFactory.getThreadMXBean().getCurrentThreadCpuTime() - before);
    }
}
