package io.delayjob.internal.limit;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;

import io.delayjob.handler.RateLimit;
import java.util.ArrayList;
import java.util.List;
import java.util.SplittableRandom;
import java.util.concurrent.TimeUnit;
import net.jqwik.api.ForAll;
import net.jqwik.api.Property;
import org.junit.jupiter.api.Test;

class BucketTest {

    private static final long SECOND = TimeUnit.SECONDS.toNanos(1);
    private static final String[] RATES = {"1/s", "7/s", "100/s", "1000/s", "90/min", "5000/h", "20000/d"};
    private static final int PARTITIONS = 8;
    private static final int INSTANCES = 3;

    private final List<Start> starts = new ArrayList<>();
    private long now;

    /** @param beginnings how often a bucket had begun with a share after it had none */
    private record Start(long nanos, int beginnings) {}

    @Test
    void longIdleBucket_startsItsBurst_andThenTheRate() {
        Bucket bucket = new Bucket(RateLimit.of("100/s").burst(20), 1, 0);
        advance(bucket, 1, 60 * SECOND);
        assertThat(startAll(bucket)).isEqualTo(21);
        advance(bucket, 1, SECOND / 2);
        assertThat(startAll(bucket)).as("no more than fits").isEqualTo(21);
        for (int i = 0; i < 100; i++) {
            advance(bucket, 1, SECOND / 100);
            assertThat(startAll(bucket)).isEqualTo(1);
        }
    }

    @Test
    void partOfTheRate_isTheShareOfThePartitions() {
        Bucket bucket = new Bucket(RateLimit.of("80/s").burst(16), 0.25, 0);
        int started = 0;
        for (int i = 0; i < 6_000; i++) {
            advance(bucket, 0.25, SECOND / 100);
            started += startAll(bucket);
        }
        assertThat(started).isCloseTo(60 * 20, within(2));
    }

    @Test
    void withoutAShare_nothingStarts_andNothingIsAwaited() {
        Bucket bucket = new Bucket(RateLimit.of("100/s"), 1, 0);
        advance(bucket, 1, SECOND);
        advance(bucket, 0, SECOND);
        assertThat(bucket.free()).isZero();
        assertThat(bucket.isFull()).isFalse();
        assertThat(bucket.untilNanos()).isEqualTo(Long.MAX_VALUE);
        advance(bucket, 1, SECOND);
        assertThat(bucket.free()).as("a part that comes back starts empty").isZero();
    }

    @Test
    void idlePartThatGrows_bringsNoMoreThanItHadRoomFor() {
        Bucket bucket = new Bucket(RateLimit.of("100/s").burst(100), 0.5, 0);
        advance(bucket, 0.5, 10 * SECOND);
        advance(bucket, 1, 10 * SECOND);
        assertThat(startAll(bucket)).isEqualTo(51);
    }

    @Test
    void claimThatGotNothing_leavesItsTokens() {
        Bucket bucket = new Bucket(RateLimit.of("10/s").burst(4), 1, 0);
        advance(bucket, 1, 10 * SECOND);
        for (int i = 0; i < 5; i++) {
            bucket.reserve();
        }
        assertThat(bucket.free()).isZero();
        advance(bucket, 1, 10 * SECOND);
        assertThat(bucket.free()).as("reserved tokens stay in the bucket").isZero();
        for (int i = 0; i < 5; i++) {
            bucket.leave();
        }
        assertThat(bucket.free()).isEqualTo(5);
    }

    @Test
    void rateOfAFewStartsADay_isReached_thoughEachInstanceLivesForAnHour() {
        int started = 0;
        for (int hour = 0; hour < 24 * 100; hour++) {
            Bucket bucket = new Bucket(RateLimit.of("10/d"), 0, now);
            for (int minute = 0; minute < 60; minute++) {
                advance(bucket, 0.25, 60 * SECOND);
                started += startAll(bucket);
            }
        }
        assertThat(started).isCloseTo(250, within(25));
    }

    @Property(tries = 500)
    void anyWindow_hasAtMostBurstAndRateAndOne_howeverLateClaimsAreAnswered(@ForAll long seed) {
        SplittableRandom random = begin(seed);
        RateLimit limit = limit(random);
        Bucket bucket = new Bucket(limit, 1, now);
        int reserved = 0;
        for (int i = 0; i < 400; i++) {
            switch (random.nextInt(4)) {
                case 0 -> advance(bucket, 1, time(random, limit));
                case 1 -> {
                    for (int n = random.nextInt(50); n > 0 && bucket.free() > 0; n--) {
                        bucket.reserve();
                        reserved++;
                    }
                }
                case 2 -> {
                    for (int n = random.nextInt(reserved + 1); n > 0; n--) {
                        bucket.start();
                        starts.add(new Start(now, 0));
                        reserved--;
                    }
                }
                default -> {
                    for (int n = random.nextInt(reserved + 1); n > 0; n--) {
                        bucket.leave();
                        reserved--;
                    }
                }
            }
        }
        assertBounded(limit, 1);
    }

    @Property(tries = 500)
    void anyWindow_ofAllInstancesTogether_isBounded_howeverPartitionsChangeHands(@ForAll long seed) {
        SplittableRandom random = begin(seed);
        RateLimit limit = limit(random);
        List<Bucket> buckets = new ArrayList<>();
        int[] led = new int[INSTANCES];
        int free = PARTITIONS;
        int beginnings = 0;
        for (int i = 0; i < INSTANCES; i++) {
            buckets.add(new Bucket(limit, 0, now));
        }
        for (int i = 0; i < 400; i++) {
            int one = random.nextInt(INSTANCES);
            int handed = random.nextInt(PARTITIONS + 1);
            switch (random.nextInt(4)) {
                case 0 -> {
                    handed = Math.min(handed, free);
                    beginnings += led[one] == 0 && handed > 0 ? 1 : 0;
                    led[one] += handed;
                    free -= handed;
                }
                case 1 -> {
                    handed = Math.min(handed, led[one]);
                    led[one] -= handed;
                    free += handed;
                }
                default -> now += time(random, limit);
            }
            for (int n = 0; n < INSTANCES; n++) {
                refill(buckets.get(n), led[n] / (double) PARTITIONS);
            }
            for (int n = random.nextInt(60); n > 0 && buckets.get(one).free() > 0; n--) {
                buckets.get(one).reserve();
                buckets.get(one).start();
                starts.add(new Start(now, beginnings));
            }
        }
        assertBounded(limit, INSTANCES);
    }

    @Property(tries = 300)
    void awaitedTime_bringsATokenAtItsEnd(@ForAll long seed) {
        SplittableRandom random = begin(seed);
        double share = (1 + random.nextInt(PARTITIONS)) / (double) PARTITIONS;
        Bucket bucket = new Bucket(limit(random), share, now);
        for (int i = 0; i < 100; i++) {
            long until = bucket.untilNanos();
            assertThat(until).isPositive();
            advance(bucket, share, until);
            assertThat(startAll(bucket)).isPositive();
        }
    }

    private SplittableRandom begin(long seed) {
        starts.clear();
        now = 0;
        return new SplittableRandom(seed);
    }

    private static RateLimit limit(SplittableRandom random) {
        return RateLimit.of(RATES[random.nextInt(RATES.length)]).burst(1 + random.nextInt(30));
    }

    private static long time(SplittableRandom random, RateLimit limit) {
        return random.nextLong((long) ((1 + random.nextInt(20)) / limit.startsPerNano()));
    }

    private void advance(Bucket bucket, double share, long nanos) {
        now += nanos;
        refill(bucket, share);
    }

    private void refill(Bucket bucket, double share) {
        bucket.refill(share, now, TimeUnit.NANOSECONDS.toMillis(now));
    }

    private static int startAll(Bucket bucket) {
        int started = 0;
        for (; bucket.free() > 0; started++) {
            bucket.reserve();
            bucket.start();
        }
        return started;
    }

    /** Looks at the windows from each start to each later one; no other window has more starts for its length. */
    private void assertBounded(RateLimit limit, int buckets) {
        double lowest = Double.MAX_VALUE;
        for (int i = 0; i < starts.size(); i++) {
            Start start = starts.get(i);
            double beyondRate = i - limit.startsPerNano() * start.nanos - start.beginnings;
            lowest = Math.min(lowest, beyondRate);
            assertThat(beyondRate - lowest + 1).isLessThanOrEqualTo(limit.burst() + buckets + 0.001);
        }
    }
}
