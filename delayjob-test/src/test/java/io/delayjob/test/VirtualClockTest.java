package io.delayjob.test;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;

import io.delayjob.time.StoreTimeSample;
import java.time.Duration;
import java.time.Instant;
import org.junit.jupiter.api.Test;

class VirtualClockTest {

    private static final Instant START = Instant.parse("2030-01-01T00:00:00.123Z");

    private final VirtualClock clock = new VirtualClock(START);

    @Test
    void clock_standsStillUntilItIsMoved() {
        long nanos = clock.nanoTime();

        assertThat(clock.storeTime()).isEqualTo(START);
        clock.advance(Duration.ofMinutes(1));
        assertThat(clock.storeTime()).isEqualTo(START.plusSeconds(60));
        assertThat(clock.nanoTime() - nanos).isEqualTo(Duration.ofMinutes(1).toNanos());
        assertThat(clock.epoch()).isZero();
        assertThat(clock.isSteady()).isTrue();
    }

    @Test
    void storeTime_isRoundedDownToTheMillisecond() {
        clock.advance(Duration.ofNanos(1_999_999));

        assertThat(clock.storeTime()).isEqualTo(START.plusMillis(1));
        assertThat(clock.storeMicros()).isEqualTo(START.toEpochMilli() * 1_000 + 1_999);
    }

    @Test
    void delays_countFromStoreTimeItself() {
        clock.advance(Duration.ofNanos(1_999_999));

        assertThat(clock.storeTimeRoundedUp()).isEqualTo(clock.storeTime());
    }

    @Test
    void nanoTimeAt_isTheTimeAtWhichStoreTimeReachesIt() {
        long at = clock.nanoTimeAt(START.plusSeconds(3).toEpochMilli());

        clock.advance(Duration.ofNanos(at - clock.nanoTime() - 1));
        assertThat(clock.storeTime()).isBefore(START.plusSeconds(3));
        clock.advance(Duration.ofNanos(1));
        assertThat(clock.storeTime()).isEqualTo(START.plusSeconds(3));
    }

    @Test
    void nanoTimeAt_saturatesFarAway() {
        long farAway =
                clock.nanoTimeAt(Instant.parse("9999-12-31T23:59:59.999Z").toEpochMilli());
        long longAgo = clock.nanoTimeAt(Instant.parse("0001-01-01T00:00:00Z").toEpochMilli());

        assertThat(farAway - clock.nanoTime())
                .isGreaterThan(Duration.ofDays(50_000).toNanos());
        assertThat(longAgo - clock.nanoTime())
                .isLessThan(-Duration.ofDays(50_000).toNanos());
    }

    @Test
    void jumpTo_setsStoreTimeAloneAndOpensAnEpoch() {
        clock.advance(Duration.ofSeconds(10));
        long nanos = clock.nanoTime();

        clock.jumpTo(START.minusSeconds(5));

        assertThat(clock.storeTime()).isEqualTo(START.minusSeconds(5));
        assertThat(clock.nanoTime()).isEqualTo(nanos);
        assertThat(clock.epoch()).isEqualTo(1);
        assertThat(clock.nanoTimeAt(START.toEpochMilli()))
                .isEqualTo(nanos + Duration.ofSeconds(5).toNanos());
    }

    @Test
    void observe_isIgnored() {
        clock.observe(new StoreTimeSample(0, 1, 1));

        assertThat(clock.storeTime()).isEqualTo(START);
    }

    @Test
    void advance_refusesToGoBackOrBeyondItsRange() {
        assertThatIllegalArgumentException()
                .isThrownBy(() -> clock.advance(Duration.ofNanos(-1)))
                .withMessageContaining("PT-0.000000001S")
                .withMessageContaining("only goes forwards");
        assertThatIllegalArgumentException()
                .isThrownBy(() -> clock.advance(Duration.ofDays(365 * 150)))
                .withMessageContaining("146 years");
        assertThatIllegalArgumentException().isThrownBy(() -> clock.advance(Duration.ofSeconds(Long.MAX_VALUE)));
    }
}
