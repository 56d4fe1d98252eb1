package io.delayjob.internal.engine;

import static org.assertj.core.api.Assertions.assertThat;

import io.delayjob.job.GivenJob;
import io.delayjob.job.Job;
import io.delayjob.store.Vitals;
import java.time.Duration;
import java.util.List;
import org.junit.jupiter.api.Test;

class TrafficTest {

    private static final long SECOND = 1_000_000_000L;

    private final Traffic traffic = new Traffic();
    private final Job job = GivenJob.given().done();
    private long now = Long.MAX_VALUE - 20 * SECOND; // overflows within the tests

    @Test
    void rates_areThoseOfTheLastTenSeconds() {
        assertThat(rates().startsPerSecond()).as("at the beginning").isZero();
        for (int second = 0; second < 30; second++) {
            start(4, Duration.ZERO);
            now += SECOND;
            rates();
        }
        assertThat(rates().startsPerSecond()).isEqualTo(4);

        now += 5 * SECOND;
        assertThat(rates().startsPerSecond()).isBetween(1.5, 2.5);
        now += 10 * SECOND;
        assertThat(rates().startsPerSecond()).as("of an idle instance").isZero();
    }

    @Test
    void lateness_isThatOfTheLastFiveMinutes_inBucketsWithInclusiveBounds() {
        rates();
        start(3, Duration.ofMillis(1));
        start(2, Duration.ofNanos(1_000_001));
        start(1, Duration.ofDays(1));
        now += 2 * SECOND;

        assertThat(rates().late()).isEqualTo(List.of(3L, 2L, 0L, 0L, 0L, 0L, 0L, 0L, 0L, 0L, 0L, 0L, 0L, 1L));
        for (int beat = 0; beat < 160; beat++) {
            now += 2 * SECOND;
            rates();
        }
        assertThat(rates().late()).hasSize(14).containsOnly(0L);
    }

    private void start(int count, Duration lateness) {
        for (int i = 0; i < count; i++) {
            traffic.started(job, lateness);
        }
    }

    private Vitals.Rates rates() {
        return traffic.rates(now);
    }
}
