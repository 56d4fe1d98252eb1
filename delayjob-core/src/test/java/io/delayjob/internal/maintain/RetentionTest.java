package io.delayjob.internal.maintain;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.delayjob.internal.dispatch.FaultyStore;
import io.delayjob.job.GivenJob;
import io.delayjob.job.JobId;
import io.delayjob.job.JobState;
import io.delayjob.memory.MemoryJobStore;
import io.delayjob.store.DueSink;
import io.delayjob.store.StoreException;
import io.delayjob.time.HandClock;
import java.time.Duration;
import java.time.temporal.ChronoUnit;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;

class RetentionTest {

    private final HandClock clock = new HandClock();
    private final MemoryJobStore rows = new MemoryJobStore(clock::storeMicros);
    private final FaultyStore store = new FaultyStore(rows);
    private final List<Duration> ofHandlers = new ArrayList<>();
    private int lastId;

    private Retention retention(Map<JobState, Duration> kept) {
        return new Retention(store.asStore(), clock, kept, ofHandlers::stream);
    }

    @Test
    void endedJobs_areDeletedAfterTheirRetentionTime_andNotBefore() {
        Retention retention = retention(Map.of(JobState.CANCELLED, Duration.ofDays(7)));
        JobId first = cancelled();
        clock.advance(Duration.ofDays(1));
        JobId second = cancelled();
        clock.advance(Duration.ofDays(6).plusMillis(1));
        assertThat(Duration.ofNanos(retention.doWork())).isGreaterThanOrEqualTo(Duration.ofMinutes(1));
        assertThat(rows.find(first)).isEmpty();
        assertThat(rows.find(second)).isPresent();
    }

    @Test
    void manyJobs_areDeletedInChunks() {
        Retention retention = retention(Map.of(JobState.CANCELLED, Duration.ZERO));
        List<JobId> ids = new ArrayList<>();
        for (int i = 0; i < 2_500; i++) {
            ids.add(cancelled());
        }
        clock.advanceMillis(1);
        assertThat(retention.doWork()).isZero();
        assertThat(retention.doWork()).isZero();
        assertThat(retention.doWork()).isPositive();
        assertThat(ids).allMatch(id -> rows.find(id).isEmpty());
        assertThat(store.calls("purgeHistory"))
                .allMatch(call -> call.arguments().get(2).equals(1_000));
    }

    @Test
    void stateThatIsKeptForEver_doesNotStopTheDeletionOfOthers() {
        Retention retention = retention(Map.of(
                JobState.FAILED, ChronoUnit.FOREVER.getDuration(),
                JobState.CANCELLED, Duration.ofDays(7),
                JobState.FINISHED, ChronoUnit.FOREVER.getDuration()));
        JobId id = cancelled();
        clock.advance(Duration.ofDays(8));
        retention.doWork();
        assertThat(rows.find(id)).isEmpty();
    }

    @Test
    void allJobs_mayBeKeptForEver() {
        assertThat(retention(Map.of(JobState.FAILED, ChronoUnit.FOREVER.getDuration()))
                        .doWork())
                .isPositive();
        assertThat(store.calls("purgeHistory")).isEmpty();
    }

    @Test
    void handlerThatKeepsItsJobsForLessTime_shortensThePause() {
        Retention retention = retention(Map.of(JobState.FINISHED, Duration.ofDays(365)));
        assertThat(Duration.ofNanos(retention.doWork())).isGreaterThan(Duration.ofHours(8));

        ofHandlers.add(Duration.ofDays(1));

        assertThat(Duration.ofNanos(retention.doWork())).isLessThan(Duration.ofMinutes(2));
    }

    @Test
    void jobsWithATimeOfTheirOwn_areDeletedInChunks_evenIfAllOthersStayForEver() {
        Retention retention = retention(Map.of(JobState.FINISHED, ChronoUnit.FOREVER.getDuration()));

        retention.doWork();

        assertThat(store.calls("purgeKept"))
                .singleElement()
                .satisfies(call -> assertThat(call.arguments()).containsExactly(clock.storeTime(), 1_000));
    }

    @Test
    void stateWhoseDeletionIsRefused_keepsNoOtherFromBeingDeleted() {
        Retention retention = retention(Map.of(
                JobState.FAILED, Duration.ofDays(7),
                JobState.CANCELLED, Duration.ofDays(7),
                JobState.FINISHED, Duration.ofDays(7)));
        JobId id = cancelled();
        clock.advance(Duration.ofDays(8));
        store.refuse(call ->
                call.method().equals("purgeHistory") && !call.arguments().get(0).equals(JobState.CANCELLED));

        assertThatThrownBy(retention::doWork).isInstanceOf(StoreException.class);

        assertThat(rows.find(id)).isEmpty();
        assertThat(store.calls("purgeKept")).hasSize(1);
        store.heal();
        assertThat(retention.doWork()).isPositive();
    }

    private JobId cancelled() {
        JobId id = GivenJob.id(++lastId);
        rows.submit(List.of(GivenJob.given().id(id).token(lastId).toBeWritten()), DueSink.NONE);
        rows.cancel(id, clock.storeTime());
        return id;
    }
}
