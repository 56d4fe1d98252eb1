package io.delayjob.maintain;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.delayjob.dispatch.FaultyStore;
import io.delayjob.event.JobListener;
import io.delayjob.event.JobListeners;
import io.delayjob.job.DueRow;
import io.delayjob.job.DueSink;
import io.delayjob.job.GivenJob;
import io.delayjob.job.Job;
import io.delayjob.job.JobId;
import io.delayjob.job.JobState;
import io.delayjob.job.Partition;
import io.delayjob.store.MemoryJobStore;
import io.delayjob.store.StoreException;
import io.delayjob.time.HandClock;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Collection;
import java.util.List;
import java.util.Set;
import java.util.SplittableRandom;
import java.util.random.RandomGenerator;
import org.junit.jupiter.api.Test;

/** Liveness 10 s, batches of ten; partition 0 is led here and partition 1 is not. */
class RescuerTest {

    private static final Partition LED = new Partition("default", 0);
    private static final Partition NOT_LED = new Partition("default", 1);

    private final HandClock clock = new HandClock();
    private final RandomGenerator random = new SplittableRandom(7);
    private final MemoryJobStore rows = new MemoryJobStore(clock::storeMicros);
    private final FaultyStore store = new FaultyStore(rows);
    private final List<DueRow> handedOver = new ArrayList<>();
    private final List<JobId> told = new ArrayList<>();
    private final long alive = rows.instances().register("alive#1", Set.of("default"));
    private final long lost = rows.instances().register("lost#1", Set.of("default"));
    private final Rescuer rescuer = new Rescuer(
            store.asStore(),
            () -> List.of(LED),
            () -> List.of(NOT_LED),
            handedOver::addAll,
            clock,
            random,
            new JobListeners(List.of(new JobListener() {
                @Override
                public void rescued(Collection<JobId> jobs) {
                    told.addAll(jobs);
                }
            })),
            Duration.ofSeconds(10),
            10);
    private int lastId;

    @Test
    void attemptsOfLostInstancesWaitAgainAndAreHandedOver() {
        Job mine = running(LED, alive);
        Job gone = running(LED, lost);
        rows.instances().deregister(lost);
        clock.advanceMillis(500);
        assertThat(Duration.ofNanos(rescuer.doWork())).isEqualTo(Duration.ofSeconds(10));
        Job rescued = job(gone);
        assertThat(rescued.state()).isEqualTo(JobState.DELAYED);
        assertThat(rescued.token()).isNotEqualTo(gone.token());
        assertThat(rescued.dueAt()).isEqualTo(clock.storeTime());
        assertThat(handedOver).containsExactly(rescued.toDueRow());
        assertThat(told).containsExactly(gone.id());
        assertThat(job(mine)).isEqualTo(mine);
    }

    @Test
    void moreThanABatchIsRescuedAtOnce() {
        for (int i = 0; i < 25; i++) {
            running(LED, lost);
        }
        rows.instances().deregister(lost);
        assertThat(rescuer.doWork()).isZero();
        assertThat(rescuer.doWork()).isZero();
        assertThat(rescuer.doWork()).isPositive();
        assertThat(told).hasSize(25).doesNotHaveDuplicates();
    }

    @Test
    void partitionsOfOthersAreLookedThroughEveryOtherLivenessOnly() {
        Job theirs = running(NOT_LED, lost);
        rows.instances().deregister(lost);
        rescuer.doWork();
        clock.advance(Duration.ofSeconds(10));
        rescuer.doWork();
        assertThat(job(theirs)).isEqualTo(theirs);
        clock.advance(Duration.ofSeconds(10));
        rescuer.doWork();
        assertThat(job(theirs).state()).isEqualTo(JobState.DELAYED);
    }

    @Test
    void nothingIsToldWhenNothingWasLost() {
        running(LED, alive);
        rescuer.doWork();
        assertThat(told).isEmpty();
        assertThat(handedOver).isEmpty();
    }

    @Test
    void rescueThatWasNotAnsweredIsRepeatedHarmlessly() {
        Job gone = running(LED, lost);
        rows.instances().deregister(lost);
        store.loseAnswerOf("rescue");
        assertThatThrownBy(rescuer::doWork).isInstanceOf(StoreException.class);
        rescuer.doWork();
        assertThat(job(gone).rescues()).isEqualTo(1);
        assertThat(job(gone).inDoubt()).isEqualTo(1);
    }

    private Job running(Partition partition, long owner) {
        JobId id = GivenJob.id(++lastId);
        rows.submit(
                List.of(GivenJob.given()
                        .id(id)
                        .partition(partition)
                        .token(lastId)
                        .toBeWritten()),
                DueSink.NONE);
        DueRow row = rows.find(id).orElseThrow().toDueRow();
        return rows.claim(List.of(row), owner, random.nextLong(), clock.storeTime())
                .get(0);
    }

    private Job job(Job job) {
        return rows.find(job.id()).orElseThrow();
    }
}
