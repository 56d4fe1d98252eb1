package io.delayjob.time;

import static org.assertj.core.api.Assertions.assertThat;

import java.time.Duration;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicLong;
import org.junit.jupiter.api.Test;

class StoreClockTest {

    @Test
    void storeIsAskedOnceWhenTimeIsFirstNeeded() {
        AtomicInteger asked = new AtomicInteger();
        StoreClock clock = new StoreClock(() -> {
            asked.incrementAndGet();
            return 1_000_000;
        });
        assertThat(asked).hasValue(0);
        assertThat(clock.storeMillis()).isGreaterThanOrEqualTo(1_000);
        assertThat(clock.nanoTimeAt(0) - clock.nanoTime()).isNegative();
        assertThat(clock.isSteady()).isTrue();
        assertThat(asked).hasValue(1);
    }

    @Test
    void storeThatWasReadBefore_isNotAskedAgain() {
        StoreClock clock = new StoreClock(() -> {
            throw new IllegalStateException("nobody should ask");
        });
        long now = clock.nanoTime();
        clock.observe(new StoreTimeSample(now, now, 5_000_000));
        assertThat(clock.storeMillis()).isGreaterThanOrEqualTo(5_000);
        assertThat(clock.epoch()).isZero();
    }

    @Test
    void firstReading_overtakenByAnother_isDropped() {
        AtomicLong nanos = new AtomicLong();
        StoreClock[] clock = new StoreClock[1];
        clock[0] = new StoreClock(
                () -> {
                    long readMicros = 9_000_000;
                    // The store's clock is set back before the reply arrives, and another reading shows this.
                    nanos.addAndGet(1_000_000);
                    clock[0].observe(new StoreTimeSample(nanos.get(), nanos.get(), 5_000_000));
                    return readMicros;
                },
                () -> 0,
                nanos::get);

        assertThat(clock[0].storeMillis()).isEqualTo(5_000);
        assertThat(clock[0].epoch()).isZero();
    }

    @Test
    void machineWhoseMonotonicClockStoodStill_isNotSteadyBeforeTwoReadings() {
        AtomicLong nanos = new AtomicLong(-7);
        AtomicLong wallMillis = new AtomicLong();
        StoreClock clock = new StoreClock(() -> wallMillis.get() * 1_000, wallMillis::get, nanos::get);
        assertThat(clock.storeMillis()).isZero();

        wallMillis.addAndGet(60_000);
        assertThat(clock.isSteady()).isFalse();
        assertThat(clock.storeMillis()).isZero();

        StoreTimeSample heard = new StoreTimeSample(nanos.get(), nanos.get(), 60_000_000);
        clock.observe(heard);
        assertThat(clock.isSteady())
                .as("the first reading may have been under way meanwhile")
                .isFalse();
        assertThat(clock.storeMillis()).isEqualTo(60_000);
        clock.observe(heard);
        assertThat(clock.isSteady()).isTrue();
    }

    @Test
    void clockOfThisMachine_isItsWallClock() {
        long before = StoreClock.wallMicros() / 1_000;
        assertThat(StoreClock.ofThisMachine().storeMillis()).isGreaterThanOrEqualTo(before);
    }

    @Test
    void delaysCountFromTheEndOfTheMillisecondThatHasBegun() {
        HandClock clock = new HandClock();
        assertThat(clock.storeTimeRoundedUp()).isEqualTo(clock.storeTime());
        clock.advance(Duration.ofNanos(1));
        assertThat(clock.storeTimeRoundedUp()).isEqualTo(clock.storeTime().plusMillis(1));
    }
}
