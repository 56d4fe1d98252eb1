package io.delayjob.time;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.SplittableRandom;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/**
 * Tests of the estimate. All times are monotonic times. By default the store's clock is {@link #OFFSET} ahead of them.
 */
class StoreTimeEstimateTest {

    private static final long MILLI = 1_000_000;
    private static final long SECOND = 1_000 * MILLI;
    private static final long OFFSET = 1_900_000_000_000L * MILLI;
    private static final long WALL = 1_900_000_000_000L;

    @Test
    void estimate_isNeverAheadOfTheStore_ifTheClocksRunAtTheSameSpeed() {
        SplittableRandom random = new SplittableRandom(1);
        StoreTimeEstimate estimate = null;
        long now = 0;
        for (int i = 0; i < 10_000; i++) {
            long request = now + random.nextLong(10 * SECOND);
            long reply = request + random.nextLong(50 * MILLI);
            long read = request + random.nextLong(reply - request + 1);
            estimate = StoreTimeEstimate.after(estimate, sample(request, reply, OFFSET + read), WALL);
            now = reply;
            assertThat(estimate.earliest().offsetNanos()).isBetween(OFFSET - 50 * MILLI - 1_000, OFFSET);
            assertThat(estimate.latest().offsetNanos()).isBetween(OFFSET, OFFSET + 50 * MILLI + 1_000);
        }
        assertThat(estimate.epoch()).isZero();
    }

    /** Tests the bounds that docs/reliability.md states. */
    @ParameterizedTest
    @ValueSource(longs = {MILLI / 2, 20 * MILLI})
    void estimate_isAheadByAtMostTheDriftOfAMinuteAndTheWayOfARequest(long way) {
        SplittableRandom random = new SplittableRandom(2);
        StoreTimeEstimate estimate = null;
        long farthest = Long.MIN_VALUE;
        // The store's clock loses 100 us a second, so an estimate from an old reading is too high.
        for (long now = 0; now < 3_600 * SECOND; now += 2 * SECOND) {
            long read = now + way;
            long reply = read + random.nextLong(40 * MILLI);
            estimate = StoreTimeEstimate.after(estimate, sample(now, reply, driftingStore(read)), WALL);
            farthest = Math.max(farthest, estimate.earliest().offsetNanos() + reply - driftingStore(reply));
        }
        assertThat(farthest).isBetween(0L, Math.min(way + 10_000, 62 * SECOND / 10_000));
        assertThat(estimate.epoch()).isZero();
    }

    private static long driftingStore(long nanos) {
        return OFFSET + nanos - nanos / 10_000;
    }

    @Test
    void fasterReading_replacesASlowerReading() {
        StoreTimeEstimate slow = StoreTimeEstimate.after(null, sample(0, 20 * MILLI, OFFSET), WALL);
        StoreTimeEstimate quick =
                StoreTimeEstimate.after(slow, sample(SECOND, SECOND + MILLI, OFFSET + SECOND), WALL + 1_000);
        assertThat(slow.earliest().offsetNanos()).isEqualTo(OFFSET - 20 * MILLI);
        assertThat(quick.earliest().offsetNanos()).isEqualTo(OFFSET - MILLI);
    }

    @Test
    void fasterReadingWithASlowWayBack_doesNotLowerTheEstimate() {
        StoreTimeEstimate slow =
                StoreTimeEstimate.after(null, new StoreTimeSample(0, 20 * MILLI, (OFFSET + 19 * MILLI) / 1_000), WALL);
        assertThat(slow.earliest().offsetNanos()).isEqualTo(OFFSET - MILLI);
        StoreTimeEstimate quick =
                StoreTimeEstimate.after(slow, sample(SECOND, SECOND + 3 * MILLI, OFFSET + SECOND), WALL + 1_000);
        assertThat(quick.earliest().offsetNanos()).isEqualTo(slow.earliest().offsetNanos());
    }

    @Test
    void slowReadingAfterAFastOne_doesNotWidenTheBounds() {
        StoreTimeEstimate quick = StoreTimeEstimate.after(null, sample(0, MILLI, OFFSET), WALL);
        StoreTimeEstimate slow = StoreTimeEstimate.after(
                quick, sample(SECOND, SECOND + 100 * MILLI, OFFSET + SECOND + 50 * MILLI), WALL + 1_100);
        assertThat(slow.earliest()).isEqualTo(quick.earliest());
        assertThat(slow.latest()).isEqualTo(quick.latest());
    }

    @Test
    void upperBoundBelowTheStoresOwnReading_isReplacedAtOnce() {
        StoreTimeEstimate tooLow = StoreTimeEstimate.after(null, sample(0, MILLI, OFFSET - 100 * MILLI), WALL);
        StoreTimeEstimate refuted =
                StoreTimeEstimate.after(tooLow, sample(SECOND, SECOND + MILLI, OFFSET + SECOND), WALL + 1_000);
        assertThat(refuted.latest().offsetNanos()).isEqualTo(OFFSET + 1_000);
        assertThat(refuted.epoch()).isZero();
    }

    @Test
    void upperBound_expiresAfterAMinute() {
        StoreTimeEstimate quick = StoreTimeEstimate.after(null, sample(0, MILLI, OFFSET), WALL);
        long late = 60 * SECOND + 2 * MILLI;
        StoreTimeEstimate fresh = StoreTimeEstimate.after(quick, sample(late - 40 * MILLI, late, OFFSET + late), WALL);
        assertThat(fresh.latest().offsetNanos()).isEqualTo(OFFSET + 40 * MILLI + 1_000);
    }

    @Test
    void slowerReading_keepsAFasterReading_butShowsThatTheStoreHasAnswered() {
        StoreTimeEstimate quick = StoreTimeEstimate.after(null, sample(0, MILLI, OFFSET), WALL);
        StoreTimeEstimate heard = StoreTimeEstimate.after(
                quick, sample(10 * SECOND, 10 * SECOND + 40 * MILLI, OFFSET + 10 * SECOND), WALL + 10_900);
        assertThat(heard.earliest().offsetNanos()).isEqualTo(quick.earliest().offsetNanos());
        assertThat(heard.earliest().heardNanos()).isEqualTo(MILLI);
        assertThat(quick.isSteady(20 * SECOND, WALL + 21_500)).isFalse();
        assertThat(heard.isSteady(20 * SECOND, WALL + 21_500)).isTrue();
    }

    @Test
    void fastReading_expiresAfterAMinute() {
        StoreTimeEstimate quick = StoreTimeEstimate.after(null, sample(0, MILLI, OFFSET), WALL);
        long late = 60 * SECOND + 2 * MILLI;
        StoreTimeEstimate fresh =
                StoreTimeEstimate.after(quick, sample(late - 40 * MILLI, late, OFFSET + late - 40 * MILLI), WALL);
        assertThat(fresh.earliest().heardNanos()).isEqualTo(late);
        assertThat(fresh.earliest().offsetNanos()).isEqualTo(OFFSET - 40 * MILLI);
        assertThat(fresh.epoch()).isZero();
    }

    @Test
    void lowerBoundAboveTheStoresOwnReading_isReplacedAtOnce() {
        StoreTimeEstimate tooHigh = StoreTimeEstimate.after(null, sample(0, MILLI, OFFSET + 100 * MILLI), WALL);
        StoreTimeEstimate refuted =
                StoreTimeEstimate.after(tooHigh, sample(SECOND, SECOND + 40 * MILLI, OFFSET + SECOND), WALL);
        assertThat(refuted.earliest().offsetNanos()).isEqualTo(OFFSET - 40 * MILLI);
        assertThat(refuted.epoch())
                .as("a tenth of a second is drift, not a jump")
                .isZero();
    }

    @Test
    void storeClockSetForwardOpensAnEpoch() {
        StoreTimeEstimate before = StoreTimeEstimate.after(null, sample(0, MILLI, OFFSET), WALL);
        StoreTimeEstimate after =
                StoreTimeEstimate.after(before, sample(SECOND, SECOND + 30 * MILLI, OFFSET + 2 * SECOND), WALL + 1_000);
        assertThat(after.epoch()).isEqualTo(1);
        assertThat(after.earliest().offsetNanos()).isEqualTo(OFFSET + SECOND - 30 * MILLI);
    }

    @Test
    void storeClockSetBackOpensAnEpoch() {
        StoreTimeEstimate before = StoreTimeEstimate.after(null, sample(0, MILLI, OFFSET), WALL);
        StoreTimeEstimate after = StoreTimeEstimate.after(
                before, sample(2 * SECOND, 2 * SECOND + 30 * MILLI, OFFSET + SECOND), WALL + 2_000);
        assertThat(after.epoch()).isEqualTo(1);
        assertThat(after.storeMillis(2 * SECOND + 30 * MILLI)).isEqualTo((OFFSET + SECOND) / MILLI);
    }

    @Test
    void slowReply_isNoJump() {
        StoreTimeEstimate before = StoreTimeEstimate.after(null, sample(0, MILLI, OFFSET), WALL);
        StoreTimeEstimate after =
                StoreTimeEstimate.after(before, sample(SECOND, 9 * SECOND, OFFSET + SECOND), WALL + 9_000);
        assertThat(after.epoch()).isZero();
        assertThat(after.earliest().offsetNanos()).isEqualTo(before.earliest().offsetNanos());
    }

    @Test
    void slowFirstReading_isFollowedByAFastReadingWithoutAJump() {
        StoreTimeEstimate slow = StoreTimeEstimate.after(null, sample(0, 5 * SECOND, OFFSET), WALL);
        StoreTimeEstimate quick = StoreTimeEstimate.after(
                slow, sample(6 * SECOND, 6 * SECOND + MILLI, OFFSET + 6 * SECOND), WALL + 6_000);
        assertThat(quick.epoch()).isZero();
        assertThat(quick.earliest().offsetNanos()).isEqualTo(OFFSET - MILLI);
    }

    @Test
    void wallClockAheadOfMonotonicTimeIsASuspendedMachine() {
        StoreTimeEstimate estimate = StoreTimeEstimate.after(null, sample(0, MILLI, OFFSET), WALL);
        assertThat(estimate.isSteady(3 * SECOND, WALL + 3_900)).isTrue();
        assertThat(estimate.isSteady(3 * SECOND, WALL + 4_100)).isFalse();
    }

    @Test
    void wallClockSetBackMayHideASuspendedMachine() {
        StoreTimeEstimate estimate = StoreTimeEstimate.after(null, sample(0, MILLI, OFFSET), WALL);
        assertThat(estimate.isSteady(3 * SECOND, WALL + 2_100)).isTrue();
        assertThat(estimate.isSteady(3 * SECOND, WALL - 3_600_000)).isFalse();
    }

    @Test
    void suspendedMachine_isSteadyAgainAfterTwoReadings() {
        StoreTimeEstimate before = StoreTimeEstimate.after(null, sample(0, MILLI, OFFSET), WALL);
        long wallAfterSleep = WALL + 3_600_000;
        long offsetAfterSleep = OFFSET + 3_600 * SECOND;
        assertThat(before.isSteady(SECOND, wallAfterSleep)).isFalse();
        StoreTimeEstimate heard = StoreTimeEstimate.after(
                before, sample(SECOND, SECOND + MILLI, offsetAfterSleep + SECOND), wallAfterSleep);
        assertThat(heard.epoch()).isEqualTo(1);
        assertThat(heard.isSteady(SECOND + MILLI, wallAfterSleep)).isFalse();
        StoreTimeEstimate heardTwice = StoreTimeEstimate.after(
                heard, sample(SECOND + 2 * MILLI, SECOND + 3 * MILLI, offsetAfterSleep + SECOND), wallAfterSleep);
        assertThat(heardTwice.isSteady(SECOND + 3 * MILLI, wallAfterSleep)).isTrue();
    }

    @Test
    void readingDuringASleepOfTheMachine_saysNothingAboutTheTimeAfterwards() {
        StoreTimeEstimate before = StoreTimeEstimate.after(null, sample(0, MILLI, OFFSET), WALL);
        // The clock was read before the machine slept, and the reply came afterwards. Meanwhile monotonic time stood
        // still.
        StoreTimeEstimate heard = StoreTimeEstimate.after(
                before, sample(SECOND, SECOND + MILLI, OFFSET + SECOND), WALL + 1_000 + 3_600_000);
        assertThat(heard.isSteady(SECOND + MILLI, WALL + 1_000 + 3_600_000)).isFalse();
    }

    @Test
    void dueMillisecond_isReachedAtItsNanosecond_andNotBefore() {
        StoreTimeEstimate estimate = StoreTimeEstimate.after(null, sample(0, 123_456, OFFSET + 789_000), WALL);
        long now = SECOND;
        long due = estimate.storeMillis(now) + 5_000;
        long at = estimate.nanoTimeAt(due, now);
        assertThat(estimate.storeMillis(at)).isEqualTo(due);
        assertThat(estimate.storeMillis(at - 1)).isEqualTo(due - 1);
    }

    @Test
    void distantTimes_saturateInsteadOfOverflowing() {
        StoreTimeEstimate estimate = StoreTimeEstimate.after(null, sample(0, MILLI, OFFSET), WALL);
        long year9999 = 253_402_300_799_999L;
        assertThat(estimate.nanoTimeAt(year9999, SECOND) - SECOND).isGreaterThan(70L * 365 * 86_400 * SECOND);
        assertThat(estimate.nanoTimeAt(-year9999, SECOND) - SECOND).isLessThan(-70L * 365 * 86_400 * SECOND);
    }

    private static StoreTimeSample sample(long request, long reply, long storeNanos) {
        return new StoreTimeSample(request, reply, Math.floorDiv(storeNanos, 1_000));
    }
}
