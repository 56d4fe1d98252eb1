package io.delayjob.internal.maintain;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.assertj.core.api.Assertions.tuple;

import io.delayjob.event.JobListeners;
import io.delayjob.internal.dispatch.FaultyStore;
import io.delayjob.job.Failure;
import io.delayjob.job.GivenJob;
import io.delayjob.job.Job;
import io.delayjob.job.JobOutcome;
import io.delayjob.job.JobState;
import io.delayjob.job.Transition;
import io.delayjob.memory.MemoryJobStore;
import io.delayjob.store.Durability;
import io.delayjob.store.JobStore;
import io.delayjob.store.MinuteCounts;
import io.delayjob.store.MinuteRow;
import io.delayjob.store.MinuteSpan;
import io.delayjob.store.MinuteSum;
import io.delayjob.store.StoreCapabilities;
import io.delayjob.store.StoreException;
import io.delayjob.time.HandClock;
import java.lang.reflect.Proxy;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Set;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;

class MinuteLogTest {

    private static final Instant START = HandClock.START;

    private static final Duration MINUTE = Duration.ofMinutes(1);

    private static final Duration TOOK = Duration.ofMillis(250);

    private static final long OWNER = 7;

    private final HandClock clock = new HandClock();
    private final MemoryJobStore rows = new MemoryJobStore(clock::storeMicros);
    private final FaultyStore store = new FaultyStore(rows);
    private final JobListeners listeners = new JobListeners(List.of());
    private final MinuteLog log = log(Duration.ofDays(7));

    private MinuteLog log(Duration kept) {
        return new MinuteLog(store.asStore(), listeners, clock, kept);
    }

    private JobStore withoutStatistics() {
        return (JobStore) Proxy.newProxyInstance(
                getClass().getClassLoader(), new Class<?>[] {JobStore.class}, (proxy, method, arguments) -> {
                    assertThat(method.getName()).as("requests to the store").isEqualTo("capabilities");
                    return new StoreCapabilities(Durability.PROCESS, Set.of());
                });
    }

    private static Job job(String name) {
        return GivenJob.given().name(name).done();
    }

    private void start(String name, Duration... lateness) {
        for (Duration each : lateness) {
            listeners.tell(listener -> listener.started(job(name), each));
        }
    }

    private void end(JobOutcome outcome, Transition next) {
        listeners.tell(listener -> listener.completed(job("mail"), outcome, next, TOOK));
    }

    private List<MinuteSum> ofMinutes(int buckets) {
        return log.sums(new MinuteSpan(START, MINUTE, buckets));
    }

    private MinuteCounts ofTheFirst() {
        List<MinuteSum> sums = ofMinutes(1);
        assertThat(sums).hasSize(1);
        return sums.get(0).counts();
    }

    private long starts() {
        return log.sums(new MinuteSpan(START, Duration.ofHours(2), 84)).stream()
                .mapToLong(sum -> sum.counts().starts())
                .sum();
    }

    @Test
    void events_countInTheirMinute() {
        start("mail", Duration.ZERO, Duration.ZERO);
        clock.advance(MINUTE.multipliedBy(2));
        start("mail", Duration.ZERO);

        assertThat(ofMinutes(3))
                .extracting(MinuteSum::bucket, sum -> sum.counts().starts())
                .containsExactlyInAnyOrder(tuple(0, 2L), tuple(2, 1L));
    }

    @Test
    void ends_countByWhatBecomesOfTheJob() {
        Failure failure = Failure.of(new IllegalStateException("locked"));
        Transition again = new Transition.Again(1, START, START, 1);
        end(new JobOutcome.Succeeded(), new Transition.Ended(JobState.FINISHED));
        end(new JobOutcome.Succeeded(), again);
        end(new JobOutcome.Failed(failure, true), again);
        end(new JobOutcome.TimedOut(failure, true), again);
        end(new JobOutcome.Failed(failure, false), new Transition.Ended(JobState.FAILED));
        end(new JobOutcome.Awaited(Duration.ofHours(1)), again);

        assertThat(ofTheFirst()).satisfies(counts -> {
            assertThat(counts.succeeded()).isEqualTo(2);
            assertThat(counts.retried()).isEqualTo(2);
            assertThat(counts.failed()).isEqualTo(1);
            assertThat(counts.ended()).isEqualTo(5);
            assertThat(counts.runTime()).isEqualTo(TOOK.multipliedBy(6));
        });
    }

    @Test
    void lateness_countsUpToItsBound() {
        start("mail", Duration.ZERO, Duration.ofMillis(1), Duration.ofNanos(1_000_001), MINUTE);
        start("mail", Duration.ofMillis(60_001), Duration.ofDays(400_000));

        assertThat(ofTheFirst().late()).containsExactly(2L, 1L, 0L, 0L, 0L, 0L, 0L, 0L, 0L, 0L, 0L, 0L, 1L, 2L);
    }

    @Test
    void handlersBeyondTheHundredth_countTogether() {
        IntStream.range(0, 103).forEach(number -> start("handler-" + number, Duration.ZERO));
        start("handler-99", Duration.ZERO);

        assertThat(ofMinutes(1))
                .hasSize(MinuteCounter.MAX_HANDLERS + 1)
                .filteredOn(sum -> sum.counts().starts() > 1)
                .extracting(MinuteSum::name)
                .containsExactlyInAnyOrder("handler-99", MinuteRow.OTHERS);
    }

    @Test
    void threadsThatCountTogether_loseNothing() {
        IntStream.range(0, 20_000).parallel().forEach(number -> start("handler-" + number % 150, Duration.ZERO));

        assertThat(starts()).isEqualTo(20_000);
        assertThat(ofMinutes(1)).hasSize(MinuteCounter.MAX_HANDLERS + 1);
    }

    @Test
    void minuteThatIsWritten_leavesMemoryAndIsReadFromTheStore() {
        start("mail", Duration.ZERO);
        clock.advance(MINUTE);
        start("mail", Duration.ZERO);

        log.writeOver(OWNER);

        assertThat(rows.minutes(new MinuteSpan(START, MINUTE, 2)))
                .as("in the store")
                .singleElement()
                .satisfies(sum -> assertThat(sum.bucket()).isZero());
        assertThat(starts()).as("in the store and in memory").isEqualTo(2);
    }

    @Test
    void eachMinute_takesOneStatement_andAnIdleOneNone() {
        start("mail", Duration.ZERO);
        start("bill", Duration.ZERO);
        clock.advance(MINUTE);
        log.writeOver(OWNER);
        assertThat(store.calls("recordMinutes")).hasSize(1);

        clock.advance(MINUTE);
        log.writeOver(OWNER);
        assertThat(store.calls("recordMinutes")).hasSize(1);
    }

    @Test
    void minuteWhoseAnswerIsLost_isWrittenAgain_andCountsOnce() {
        start("mail", Duration.ZERO);
        clock.advance(MINUTE);
        store.loseAnswerOf("recordMinutes");
        assertThatThrownBy(() -> log.writeOver(OWNER)).isInstanceOf(StoreException.class);

        start("mail", Duration.ZERO);
        clock.advance(MINUTE);
        log.writeOver(OWNER);

        assertThat(starts()).isEqualTo(2);
        assertThat(rows.minutes(new MinuteSpan(START, MINUTE, 2))).hasSize(2);
    }

    @Test
    void lastMinuteWhoseAnswerIsLostAtAStop_countsOnceAfterARestart() {
        start("mail", Duration.ZERO);
        store.loseAnswerOf("recordMinutes");
        assertThatThrownBy(() -> log.writeAll(OWNER)).isInstanceOf(StoreException.class);
        assertThat(starts()).as("between the runs").isEqualTo(1);

        start("mail", Duration.ZERO);
        clock.advance(MINUTE);
        log.writeOver(OWNER + 1);

        assertThat(starts()).isEqualTo(2);
        assertThat(rows.minutes(new MinuteSpan(START, MINUTE, 1)))
                .extracting(sum -> sum.counts().starts())
                .as("in the store")
                .containsExactly(2L);
    }

    @Test
    void minutesThatAreCountedAgain_afterTheStoresClockWasSetBack_areAddedUp() {
        start("mail", Duration.ZERO);
        clock.advance(MINUTE);
        start("mail", Duration.ZERO);
        clock.advance(MINUTE);
        log.writeOver(OWNER);
        start("mail", Duration.ZERO);

        for (int repetition = 1; repetition <= 2; repetition++) {
            clock.setStore(MINUTE.multipliedBy(-2));
            log.writeOver(OWNER);
            start("mail", Duration.ZERO);
            assertThat(starts()).as("while the repeated minute is in memory").isEqualTo(2 + 2 * repetition);
            clock.advance(MINUTE);
            log.writeOver(OWNER);
            start("mail", Duration.ZERO);
            clock.advance(MINUTE);
            log.writeOver(OWNER);
        }

        assertThat(rows.minutes(new MinuteSpan(START, MINUTE, 3)))
                .extracting(MinuteSum::bucket, sum -> sum.counts().starts())
                .containsExactlyInAnyOrder(tuple(0, 3L), tuple(1, 3L), tuple(2, 1L));
        assertThat(starts()).as("in the store and in memory").isEqualTo(7);
    }

    @Test
    void minuteThatCannotBeWrittenForAnHour_isForgotten() {
        start("mail", Duration.ZERO);
        clock.advance(MINUTE);
        store.loseCallOf("recordMinutes");
        assertThatThrownBy(() -> log.writeOver(OWNER)).isInstanceOf(StoreException.class);

        clock.advance(Duration.ofHours(1));
        log.writeOver(OWNER);

        assertThat(starts()).isZero();
    }

    @Test
    void storeWithoutStatistics_leavesTheLastHourInMemory() {
        MinuteLog alone = new MinuteLog(withoutStatistics(), listeners, clock, Duration.ofDays(7));
        start("mail", Duration.ZERO);
        clock.advance(Duration.ofMinutes(59));
        MinuteSpan span = new MinuteSpan(START, Duration.ofHours(1), 2);

        assertThat(alone.retention()).isEqualTo(Duration.ofHours(1));
        assertThat(alone.sums(span)).hasSize(1);
        clock.advance(MINUTE);
        assertThat(alone.sums(span)).isEmpty();
    }

    @Test
    void retentionOfZero_countsNothing() {
        JobListeners unheard = new JobListeners(List.of());
        MinuteLog off = new MinuteLog(store.asStore(), unheard, clock, Duration.ZERO);

        unheard.tell(listener -> listener.started(job("mail"), Duration.ZERO));

        assertThat(off.retention()).isZero();
        assertThat(off.sums(new MinuteSpan(START, MINUTE, 1))).isEmpty();
        assertThat(store.calls("minutes")).isEmpty();
    }

    @Test
    void purge_forgetsWhatIsOlderThanTheRetention() {
        rows.recordMinutes(OWNER, List.of(row(START.minus(Duration.ofDays(7)).minus(MINUTE))));
        rows.recordMinutes(OWNER, List.of(row(START.minus(Duration.ofDays(7)))));

        assertThat(log.purge()).isFalse();

        assertThat(rows.minutes(new MinuteSpan(START.minus(Duration.ofDays(8)), Duration.ofDays(8), 1)))
                .extracting(sum -> sum.counts().starts())
                .containsExactly(1L);
    }

    private static MinuteRow row(Instant minute) {
        return new MinuteRow(minute, "mail", new MinuteCounts(1, 0, 0, 0, Duration.ZERO, MinuteCounts.NONE.late()));
    }
}
