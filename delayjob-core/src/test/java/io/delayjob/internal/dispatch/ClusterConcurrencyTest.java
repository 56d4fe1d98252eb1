package io.delayjob.internal.dispatch;

import static org.assertj.core.api.Assertions.assertThat;

import io.delayjob.handler.ConcurrencyScope;
import io.delayjob.handler.Handler;
import io.delayjob.job.DueRow;
import io.delayjob.job.GivenJob;
import io.delayjob.job.Job;
import io.delayjob.job.JobId;
import io.delayjob.job.JobState;
import io.delayjob.status.ClusterSlots;
import java.time.Duration;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import org.junit.jupiter.api.Test;

/** A handler whose concurrency counts in the whole cluster, on one instance that leads all partitions or none. */
class ClusterConcurrencyTest {

    private static final long ELSEWHERE = 4_711;

    private final Map<JobId, CompletableFuture<Object>> attempts = new LinkedHashMap<>();
    private final Station station = new Station(8);

    ClusterConcurrencyTest() {
        station.handler(Handler.named("limited")
                .formerNames(Set.of("formerly"))
                .concurrency(4)
                .scope(ConcurrencyScope.CLUSTER)
                .calls((arguments, job) -> {
                    CompletableFuture<Object> attempt = new CompletableFuture<>();
                    attempts.put(job.id(), attempt);
                    return attempt;
                }));
        station.handler("other", (arguments, job) -> null);
    }

    @Test
    void noMoreThanTheLimit_isClaimed_andEachEndLetsOneIn() {
        List<DueRow> rows = station.due("limited", 10);
        station.offer(rows);
        station.work();

        assertThat(attempts).hasSize(4);
        assertThat(rows.stream().map(row -> station.state(row.id())).filter(JobState.RUNNING::equals))
                .hasSize(4);
        end(rows.get(0));
        assertThat(attempts).hasSize(5);
    }

    @Test
    void formerAttempts_blockSlots_untilALookNoLongerFindsThem() {
        Job one = runningElsewhere("limited");
        Job two = runningElsewhere("formerly");
        runningElsewhere("other");
        station.offer(station.due("limited", 10));
        station.work();
        assertThat(attempts).hasSize(2);
        assertThat(slots()).isEqualTo(new ClusterSlots(4, 4, 2, 2));

        release(one);
        station.clock.advance(Duration.ofMillis(999));
        station.work();
        assertThat(attempts).hasSize(2);
        station.clock.advance(Duration.ofMillis(1));
        station.work();
        assertThat(attempts).hasSize(3);

        release(two);
        station.clock.advance(Duration.ofSeconds(1));
        station.work();
        assertThat(attempts).hasSize(4);
        assertThat(slots()).isEqualTo(new ClusterSlots(4, 4, 0, 4));
    }

    @Test
    void attemptThatBeganElsewhereLater_blocksNothing() {
        station.offer(station.due("limited", 1));
        station.work();
        runningElsewhere("limited");
        station.offer(station.due("limited", 10));
        station.clock.advance(Duration.ofSeconds(5));
        station.work();

        assertThat(attempts).hasSize(4);
    }

    @Test
    void lostLease_letsNothingStart_thatWasClaimedBefore() {
        List<DueRow> rows = station.due("limited", 1);
        station.offer(rows);
        station.watch.doWork();
        station.store.during("claim", () -> station.term = 0);
        station.work();

        assertThat(attempts).isEmpty();
        assertThat(station.state(rows.get(0).id())).isEqualTo(JobState.RUNNING);
        station.clock.advance(Duration.ofMillis(1_001));
        station.work();
        assertThat(station.state(rows.get(0).id())).as("given back").isEqualTo(JobState.DELAYED);
    }

    @Test
    void leaseTakenAgain_countsItsOwnAttemptsOnce() {
        List<DueRow> rows = station.due("limited", 2);
        station.offer(rows);
        station.work();
        station.term = 0;
        station.work();
        station.term = 2;
        station.offer(station.due("limited", 10));
        station.work();

        assertThat(attempts).hasSize(4);
        assertThat(slots()).isEqualTo(new ClusterSlots(4, 4, 0, 4));
    }

    @Test
    void withoutALease_nothingIsClaimed_andOthersGoOn() {
        station.term = 0;
        List<DueRow> rows = station.due("limited", 3);
        station.offer(rows);
        JobId other = station.run(GivenJob.given().name("other"));

        assertThat(rows).allSatisfy(row -> assertThat(station.state(row.id())).isEqualTo(JobState.DELAYED));
        assertThat(station.state(other)).isEqualTo(JobState.FINISHED);
        assertThat(station.lanes.intake().adopting().roomFor("limited", "default"))
                .isZero();
        assertThat(slots()).isEqualTo(new ClusterSlots(4, 0, 0, 0));
    }

    @Test
    void fastHandler_claimsAhead_andStartsNoMoreThanTheLimit() {
        List<DueRow> rows = station.due("limited", 200);
        station.offer(rows);
        station.work();
        for (int i = 0; i < 50; i++) {
            List.copyOf(attempts.values()).forEach(attempt -> attempt.complete(null));
            attempts.values().removeIf(CompletableFuture::isDone);
            station.work();
            assertThat(attempts).hasSizeLessThanOrEqualTo(4);
        }
        assertThat(station.store.calls("claim").size()).isLessThan(50);
    }

    private ClusterSlots slots() {
        return station.lanes.occupancy().clusterSlots().get("limited");
    }

    private Job runningElsewhere(String name) {
        return station.rows
                .claim(List.of(station.due(name)), ELSEWHERE, station.random.nextLong(), station.clock.storeTime())
                .get(0);
    }

    private void release(Job job) {
        station.rows.release(
                List.of(job.toDueRow()), job.token(), station.random.nextLong(), station.clock.storeTime());
    }

    private void end(DueRow row) {
        attempts.get(row.id()).complete(null);
        station.clock.advance(Duration.ofMillis(10));
        station.work();
    }
}
