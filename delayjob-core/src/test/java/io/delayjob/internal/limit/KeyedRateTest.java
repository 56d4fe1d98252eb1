package io.delayjob.internal.limit;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;

import io.delayjob.handler.RateLimit;
import io.delayjob.time.HandClock;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.SplittableRandom;
import java.util.concurrent.TimeUnit;
import net.jqwik.api.ForAll;
import net.jqwik.api.Property;
import org.junit.jupiter.api.Test;

class KeyedRateTest {

    private static final String[] RATES = {"1/s", "7/s", "100/s", "1000/s", "90/min", "5000/h", "20000/d"};

    private final HandClock clock = new HandClock();
    private final List<Long> starts = new ArrayList<>();

    /** The number of the lease, for each of three instances; 0 for none. */
    private final long[] terms = new long[3];

    @Test
    void idleKey_startsItsBurst_andThenTheRate() {
        terms[0] = 1;
        KeyBucket bucket = rate("10/s", 5, 0).newBucket("customer-7");
        advance(Duration.ofMinutes(1));

        assertThat(startAll(bucket)).isEqualTo(5);
        int started = 0;
        for (int i = 0; i < 6_000; i++) {
            advance(Duration.ofMillis(10));
            started += startAll(bucket);
        }
        assertThat(started).isCloseTo(600, within(1));
    }

    @Test
    void keyWithABurstOfOne_losesNothing_whileClaimsAreUnderWay() {
        terms[0] = 1;
        KeyBucket bucket = rate("10/s", 1, 0).newBucket("customer-7");
        bucket.setWanted(true);
        for (int i = 0; i < 600; i++) {
            advance(Duration.ofNanos(Math.max(1, bucket.untilNanos(0))));
            bucket.reserve();
            advance(Duration.ofMillis(30));
            start(bucket);
        }

        assertThat(600 / seconds()).isCloseTo(10, within(0.1));
    }

    @Test
    void unknownKey_hasTheTokensOfItsLease_andNotMore() {
        terms[0] = 1;
        KeyedRate rate = rate("10/s", 50, 0);
        advance(Duration.ofSeconds(2));
        assertThat(rate.newBucket("customer-7").free()).isBetween(20, 21);

        terms[0] = 2;
        assertThat(rate.newBucket("customer-7").free()).isZero();
        advance(Duration.ofSeconds(1));
        assertThat(rate.newBucket("customer-7").free()).isBetween(10, 11);
    }

    @Test
    void bucketOfALeaseThatHasEnded_isNotLed() {
        terms[0] = 1;
        KeyBucket bucket = rate("10/s", 1, 0).newBucket("customer-7");
        assertThat(bucket.isLed()).isTrue();
        terms[0] = 2;
        assertThat(bucket.isLed()).isFalse();
        terms[0] = 0;
        assertThat(rate("10/s", 1, 0).newBucket("customer-7").isLed()).isFalse();
    }

    @Test
    void keyThatIsForgottenInALapseOfTrust_getsNoSecondBurst_whenTheSameLeaseIsTrustedAgain() {
        terms[0] = 1;
        KeyedRate rate = rate("10/s", 50, 0);
        advance(Duration.ofMinutes(1));
        KeyBucket used = rate.newBucket("customer-7");
        assertThat(startAll(used)).isEqualTo(50);
        terms[0] = 0;
        assertThat(used.isLed()).as("so it may be forgotten").isFalse();
        terms[0] = 1;

        assertThat(rate.newBucket("customer-7").free()).isZero();

        assertThat(used.isLed()).as("a bucket that is remembered").isTrue();
        advance(Duration.ofSeconds(1));
        assertThat(rate.newBucket("customer-7").free()).isBetween(10, 11);
    }

    @Test
    void forgottenKey_takesTheTokensOfUnknownKeysAway() {
        terms[0] = 1;
        KeyedRate rate = rate("10/s", 50, 0);
        advance(Duration.ofMinutes(1));
        KeyBucket used = rate.newBucket("customer-7");
        assertThat(startAll(used)).isEqualTo(50);
        advance(Duration.ofSeconds(1));

        rate.forget(used);

        assertThat(rate.newBucket("customer-7").free()).isEqualTo(10);
        assertThat(rate.newBucket("customer-8").free()).isEqualTo(10);
        advance(Duration.ofMinutes(1));
        KeyBucket full = rate.newBucket("customer-7");
        rate.forget(full);
        assertThat(rate.newBucket("customer-7").free()).isEqualTo(50);
    }

    @Test
    void rateOfAFewStartsADay_isReached_thoughEachLeaseLastsForAnHour() {
        int started = 0;
        KeyedRate rate = rate("10/d", 1, 0);
        for (int hour = 0; hour < 24 * 100; hour++) {
            terms[0]++;
            rate.look(clock.storeMillis());
            KeyBucket bucket = rate.newBucket("customer-7");
            bucket.setWanted(true);
            for (int minute = 0; minute < 60; minute++) {
                advance(Duration.ofMinutes(1));
                started += startAll(bucket);
            }
        }
        assertThat(started).isCloseTo(1_000, within(100));
    }

    @Property(tries = 500)
    void anyWindow_hasAtMostBurstAndRateAndTwo_howeverTheLeaseChangesHands(@ForAll long seed) {
        starts.clear();
        SplittableRandom random = new SplittableRandom(seed);
        RateLimit limit = RateLimit.of(RATES[random.nextInt(RATES.length)]).burst(1 + random.nextInt(30));
        List<KeyedRate> rates = new ArrayList<>();
        List<KeyBucket> buckets = new ArrayList<>();
        for (int i = 0; i < terms.length; i++) {
            terms[i] = 0;
            rates.add(rate(limit, i));
            buckets.add(rates.get(i).newBucket("customer-7"));
        }
        int[] reserved = new int[terms.length];
        int leader = 0;
        long lastTerm = 0;
        boolean changed = false;
        for (int i = 0; i < 400; i++) {
            int step = random.nextInt(6);
            if (step == 0) {
                changed |= lastTerm > 0;
                terms[leader] = 0;
                leader = random.nextInt(terms.length);
                terms[leader] = ++lastTerm;
                rates.get(leader).look(clock.storeMillis());
                buckets.set(leader, rates.get(leader).newBucket("customer-7"));
                reserved[leader] = 0;
            } else if (step == 1 && terms[leader] != 0 && reserved[leader] == 0 && random.nextBoolean()) {
                // A key that is forgotten and comes again.
                rates.get(leader).forget(buckets.get(leader));
                buckets.set(leader, rates.get(leader).newBucket("customer-7"));
            } else if (step <= 3) {
                advance(Duration.ofNanos(random.nextLong((long) ((1 + random.nextInt(20)) / limit.startsPerNano()))));
            } else if (step == 4) {
                buckets.get(leader).setWanted(random.nextBoolean());
                while (buckets.get(leader).free() > 0 && random.nextInt(20) > 0) {
                    buckets.get(leader).reserve();
                    reserved[leader]++;
                }
            } else {
                for (; reserved[leader] > 0 && buckets.get(leader).isLed(); reserved[leader]--) {
                    if (random.nextInt(4) == 0) {
                        buckets.get(leader).leave();
                    } else {
                        start(buckets.get(leader));
                    }
                }
            }
        }
        assertBounded(limit, changed ? 2 : 1);
    }

    private KeyedRate rate(String rate, int burst, int instance) {
        return rate(RateLimit.of(rate).burst(burst), instance);
    }

    private KeyedRate rate(RateLimit limit, int instance) {
        KeyedRate rate =
                new KeyedRate(limit, "default", new Leases(8, queue -> 0, home -> terms[instance], () -> {}), clock);
        rate.look(clock.storeMillis());
        return rate;
    }

    private void advance(Duration time) {
        clock.advance(time);
    }

    private double seconds() {
        return (starts.get(starts.size() - 1) - starts.get(0)) / (double) TimeUnit.SECONDS.toNanos(1);
    }

    private int startAll(KeyBucket bucket) {
        int started = 0;
        for (; bucket.free() > 0; started++) {
            bucket.reserve();
            start(bucket);
        }
        return started;
    }

    private void start(KeyBucket bucket) {
        bucket.start();
        starts.add(clock.nanoTime());
    }

    /** Looks at the windows from each start to each later one; no other window has more starts for its length. */
    private void assertBounded(RateLimit limit, int beyond) {
        double lowest = Double.MAX_VALUE;
        for (int i = 0; i < starts.size(); i++) {
            double beyondRate = i - limit.startsPerNano() * (starts.get(i) - starts.get(0));
            lowest = Math.min(lowest, beyondRate);
            assertThat(beyondRate - lowest + 1)
                    // The fraction of a token is computed from milliseconds.
                    .isLessThanOrEqualTo(limit.burst() + beyond + limit.startsPerNano() * 1e6 + 0.001);
        }
    }
}
