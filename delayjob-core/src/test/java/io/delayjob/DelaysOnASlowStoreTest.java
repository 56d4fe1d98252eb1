package io.delayjob;

import static org.assertj.core.api.Assertions.assertThat;

import io.delayjob.handler.HandlerRegistry;
import io.delayjob.job.Job;
import io.delayjob.job.Scheduled;
import io.delayjob.memory.MemoryJobStore;
import io.delayjob.schedule.Repeat;
import io.delayjob.settings.EngineSettings;
import io.delayjob.time.StoreClock;
import io.delayjob.time.StoreTimeSample;
import java.time.Duration;
import java.time.Instant;
import java.util.SplittableRandom;
import java.util.concurrent.atomic.AtomicLong;
import java.util.function.Function;
import org.junit.jupiter.api.Test;

/**
 * Tests delays if the store replies late. The error of the estimate of store time is at most the time that the reply
 * took. On the caller's machine, a delay must never be shorter than requested, even if the estimate of store time
 * changes meanwhile.
 */
class DelaysOnASlowStoreTest {

    private static final Instant START = Instant.parse("2030-01-01T11:59:59.930Z");
    private static final long ANSWER_NANOS = Duration.ofMillis(100).toNanos();
    private static final Duration DELAY = Duration.ofSeconds(20);

    /** The monotonic time of the caller's machine. The store's clock runs at the same speed. */
    private final AtomicLong nanos = new AtomicLong();

    private final StoreClock clock = new StoreClock(this::readAndAnswerLate, () -> nanos.get() / 1_000_000, nanos::get);
    private final MemoryJobStore store = new MemoryJobStore(this::storeMicros);
    private final DelayJobOperations jobs = DelayJobEngine.builder(EngineSettings.defaults("slow#1"), store)
            .leases(new DelayJobEngineTest.EveryLease())
            .handlers(new HandlerRegistry())
            .codec(new DelayJobEngineTest.NoPayloads())
            .clock(clock)
            .agents(Parts::neverStarted)
            .workers(Runnable::run)
            .random(new SplittableRandom(1))
            .build()
            .operations();

    private long storeMicros() {
        return START.toEpochMilli() * 1_000 + nanos.get() / 1_000;
    }

    /** Reads the store's clock, and returns the time 100 ms later. */
    private long readAndAnswerLate() {
        long micros = storeMicros();
        nanos.addAndGet(ANSWER_NANOS);
        return micros;
    }

    /**
     * Returns the time from the call to the start of the job. Meanwhile a fast reply has given the exact time of the
     * store's clock.
     */
    private Duration waited(Function<DelayJobOperations, Scheduled> call) {
        clock.storeMillis();
        long called = nanos.get();
        Job job = store.find(call.apply(jobs).id()).orElseThrow();
        nanos.addAndGet(Duration.ofSeconds(2).toNanos());
        clock.observe(new StoreTimeSample(nanos.get(), nanos.get(), storeMicros()));
        return Duration.ofNanos(clock.nanoTimeAt(job.dueAt().toEpochMilli()) - called);
    }

    @Test
    void delay_isNeverShorterThanAskedForAndNoLongerThanTheAnswerTook() {
        assertThat(waited(jobs -> jobs.schedule("elsewhere").after(DELAY))).isBetween(DELAY, DELAY.plusMillis(101));
    }

    @Test
    void firstPeriod_isNeverShorterThanAskedFor() {
        assertThat(waited(jobs -> jobs.schedule("elsewhere").repeat(Repeat.every(DELAY))))
                .isBetween(DELAY, DELAY.plusMillis(101));
    }

    @Test
    void reschedule_isNeverShorterThanAskedFor() {
        assertThat(waited(jobs -> {
                    Scheduled job = jobs.schedule("elsewhere").after(Duration.ofDays(1));
                    jobs.reschedule(job.id(), DELAY);
                    return job;
                }))
                .isBetween(DELAY, DELAY.plusMillis(101));
    }

    /**
     * Noon is 70 ms after the reading and 30 ms before its reply. So noon is in the future by the estimate, but is over
     * by the store's clock.
     */
    @Test
    void timeOfDay_thatComesJustNow_isNotLost() {
        clock.storeMillis();

        Scheduled job = jobs.schedule("elsewhere").repeat(Repeat.cron("0 0 12 * * *"));

        assertThat(store.find(job.id()).orElseThrow().dueAt()).isEqualTo(Instant.parse("2030-01-01T12:00:00Z"));
    }
}
