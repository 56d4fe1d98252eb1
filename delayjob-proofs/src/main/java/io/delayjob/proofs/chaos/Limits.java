package io.delayjob.proofs.chaos;

import io.delayjob.handler.ConcurrencyScope;
import io.delayjob.handler.Handler;
import io.delayjob.handler.RateLimit;
import io.delayjob.settings.QueueSettings;
import java.time.Duration;
import java.time.Instant;
import java.util.Map;
import java.util.SplittableRandom;
import org.jspecify.annotations.Nullable;

/**
 * The limits of some kinds of jobs. The limits apply to the whole cluster, but tenants take turns on each instance
 * separately.
 */
final class Limits {

    static final String RATED_QUEUE = "rated";

    private static final int MUTEXES = 50;

    private static final Map<Kind, Integer> CONCURRENCY = Map.of(Kind.LIMIT, 10, Kind.LOW_LIMIT, 3);

    private static final Map<Kind, RateLimit> RATES = Map.of(
            Kind.RATE,
            RateLimit.of("40/s").burst(4),
            Kind.QUEUE_RATE,
            RateLimit.of("26/s").burst(3),
            Kind.KEY_RATE,
            RateLimit.of("10/s").burst(2));

    private static final int RATE_KEYS = 3;

    /** On each instance, at most this number of jobs with tenants run at the same time. */
    static final int FAIR_AT_A_TIME = 1;

    private static final String BIG_TENANT = "big";
    private static final int ONE_OF_SMALL_TENANTS_IN = 5;
    private static final int FAIR_MILLIS = 300;

    private static final int ONE_SLOW_IN = 3;
    private static final int ONE_SLOW_OF_HOT_MUTEX_IN = 20;
    private static final int ONE_FAILS_IN = 16;
    private static final int QUICK_SPREAD_MILLIS = 50;
    private static final int SLOW_MILLIS = 500;
    private static final int SLOW_SPREAD_MILLIS = 1_500;

    /** Jobs with a rate become due together. If they became due one by one, no job would have to wait. */
    private static final Duration RUSH = Duration.ofSeconds(2);

    /** Jobs of the big tenant become due together, and take seconds. Meanwhile, jobs of small tenants become due. */
    private static final Duration RUSH_OF_BIG_TENANT = Duration.ofSeconds(6);

    private Limits() {}

    static boolean has(Kind kind) {
        return isMutex(kind) || CONCURRENCY.containsKey(kind) || RATES.containsKey(kind) || kind == Kind.FAIR;
    }

    private static boolean isMutex(Kind kind) {
        return kind == Kind.MUTEX || kind == Kind.HOT_MUTEX;
    }

    static @Nullable String mutexOf(Kind kind, long number) {
        return switch (kind) {
            case MUTEX -> "mutex-" + number % MUTEXES;
            case HOT_MUTEX -> "mutex-0";
            default -> null;
        };
    }

    static @Nullable String rateKeyOf(Kind kind, long number) {
        return kind == Kind.KEY_RATE ? "key-" + number % RATE_KEYS : null;
    }

    static boolean isOfBigTenant(Kind kind, long number) {
        return kind == Kind.FAIR && number % ONE_OF_SMALL_TENANTS_IN != 0;
    }

    static boolean isOfSmallTenant(Kind kind, long number) {
        return kind == Kind.FAIR && !isOfBigTenant(kind, number);
    }

    private static String tenantOf(long number) {
        return isOfBigTenant(Kind.FAIR, number) ? BIG_TENANT : "small-" + number;
    }

    static Map<Kind, Integer> concurrency() {
        return CONCURRENCY;
    }

    static Map<Kind, RateLimit> rates() {
        return RATES;
    }

    static String queueOf(Kind kind) {
        return kind == Kind.QUEUE_RATE ? RATED_QUEUE : Handler.DEFAULT_QUEUE;
    }

    static Map<String, QueueSettings> queues(int slots) {
        return Map.of(
                Handler.DEFAULT_QUEUE,
                new QueueSettings(slots, true),
                RATED_QUEUE,
                new QueueSettings(slots, true, RATES.get(Kind.QUEUE_RATE)));
    }

    static Handler.Builder limit(Kind kind, Handler.Builder handler) {
        handler.queue(queueOf(kind));
        if (isMutex(kind)) {
            handler.mutex(arguments -> mutexOf(kind, (Long) arguments.get(0)));
        }
        if (CONCURRENCY.containsKey(kind)) {
            handler.concurrency(CONCURRENCY.get(kind)).scope(ConcurrencyScope.CLUSTER);
        }
        return switch (kind) {
            case RATE -> handler.rate(RATES.get(kind));
            case KEY_RATE ->
                handler.rate(RATES.get(kind)).rateBy(arguments -> rateKeyOf(kind, (Long) arguments.get(0)));
            case FAIR -> handler.concurrency(FAIR_AT_A_TIME).fairBy(arguments -> tenantOf((Long) arguments.get(0)));
            default -> handler;
        };
    }

    /** An attempt of a job with a rate takes no time, so that jobs wait only because of the rate. */
    static long holdMillis(Kind kind, long number) {
        if (RATES.containsKey(kind)) {
            return 0;
        }
        if (kind == Kind.FAIR) {
            return FAIR_MILLIS;
        }
        SplittableRandom random = new SplittableRandom(number);
        return random.nextInt(kind == Kind.HOT_MUTEX ? ONE_SLOW_OF_HOT_MUTEX_IN : ONE_SLOW_IN) == 0
                ? SLOW_MILLIS + random.nextInt(SLOW_SPREAD_MILLIS)
                : 1 + random.nextInt(QUICK_SPREAD_MILLIS);
    }

    static boolean failsAtFirst(Kind kind, long number) {
        return isMutex(kind) && new SplittableRandom(~number).nextInt(ONE_FAILS_IN) == 0;
    }

    /** Jobs with a rate and jobs of the big tenant get a longer delay, so that they become due together. */
    static Duration delay(Kind kind, long number, Duration delay, Instant now) {
        if (RATES.containsKey(kind)) {
            return untilRush(RUSH, delay, now);
        }
        return isOfBigTenant(kind, number) ? untilRush(RUSH_OF_BIG_TENANT, delay, now) : delay;
    }

    private static Duration untilRush(Duration period, Duration delay, Instant now) {
        long due = now.plus(delay).toEpochMilli();
        return delay.plusMillis(period.toMillis() - due % period.toMillis());
    }
}
