package io.delayjob.internal.dispatch;

import static org.assertj.core.api.Assertions.assertThat;

import io.delayjob.handler.Handler;
import io.delayjob.internal.preload.Scout;
import io.delayjob.job.DueRow;
import io.delayjob.job.GivenJob;
import io.delayjob.job.JobId;
import io.delayjob.job.JobState;
import io.delayjob.job.Paused;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;

/** Lanes in which fair keys take turns. The handler has one slot, and there is room for 1,000 rows. */
class FairLanesTest {

    private final Map<JobId, CompletableFuture<Object>> attempts = new LinkedHashMap<>();
    private final List<String> order = new ArrayList<>();
    private final Station station = new Station(4, 1_000, new Station.TextCodec());

    FairLanesTest() {
        register(Handler.named("render"));
        register(Handler.named("by-rule").fairBy(arguments -> "unused"));
    }

    private void register(Handler.Builder handler) {
        station.handler(handler.concurrency(1).calls((arguments, job) -> {
            order.add(station.job(job.id()).fairKey());
            CompletableFuture<Object> attempt = new CompletableFuture<>();
            attempts.put(job.id(), attempt);
            return attempt;
        }));
    }

    // ---- turns

    @Test
    void keys_takeTurns_andRowsOfAKeyStartInTheirOrder() {
        List<DueRow> rows = due("render", "a", "a", "a", "a", "b", "c", "c");
        station.offer(rows);
        List<JobId> started = workOff();

        assertThat(order).containsExactly("a", "b", "c", "a", "c", "a", "a");
        assertThat(started.stream().filter(id -> "a".equals(station.job(id).fairKey())))
                .containsExactlyElementsOf(
                        rows.subList(0, 4).stream().map(DueRow::id).toList());
    }

    @Test
    void rowsThatComeDue_takeTurnsWithThoseOfABacklog() {
        sweepFinds(due("render", "a", "a", "a", "a"));
        station.offer(due("render", "a", "b", "b"));

        workOff();

        assertThat(order).containsExactly("a", "b", "a", "b", "a", "a", "a");
    }

    @Test
    void keyThatAddsOneRowAfterAnother_doesNotPassTheOthers() {
        sweepFinds(due("render", "a", "a", "a"));
        station.offer(due("render", "b"));
        station.work();
        endRunning();
        station.offer(due("render", "b"));

        workOff();

        assertThat(order).containsExactly("a", "b", "a", "b", "a");
    }

    @Test
    void rowsWithoutAKey_takeTurnsLikeOneMoreKey() {
        station.offer(due("by-rule", null, null, null, "a", "b"));

        workOff();

        assertThat(order).containsExactly(null, "a", "b", null, null);
    }

    @Test
    void rowsWithoutAnyKey_startInTheOrderInWhichTheyComeDue() {
        List<DueRow> rows = due("render", null, null, null, null);
        station.offer(rows);

        assertThat(workOff())
                .containsExactlyElementsOf(rows.stream().map(DueRow::id).toList());
    }

    @Test
    void keyWhoseFirstRowHasWaitedForAMutex_takesItsTurn() {
        station.offer(List.of(station.due(given("render").mutex("account-7"))));
        station.work();
        station.offer(List.of(station.due(given("render").mutex("account-7").fairKey("a"))));
        station.offer(due("render", null, null, null));

        workOff();

        assertThat(order).hasSize(5);
        assertThat(order.indexOf("a")).as("place in %s", order).isLessThan(4);
    }

    // ---- room

    @Test
    void backlogOfOneKey_leavesRoomForOthers_onTimeOrNot() {
        assertThat(sweepFinds(due("render", many("a", 900)))).as("left out").isNotEmpty();
        station.offer(due("render", many("a", 900)));

        assertThat(scoutFinds(due("render", many("b", 20)))).isEmpty();
        assertThat(station.offer(due("render", many("c", 20)))).isEmpty();
        workOff(6);

        assertThat(order).containsExactly("a", "b", "c", "a", "b", "c");
    }

    @Test
    void manyGreedyKeys_leaveRoomForTheFirstRowOfOneMore() {
        List<String> keys = new ArrayList<>();
        for (int i = 0; i < 20; i++) {
            keys.addAll(Arrays.asList(many("tenant-" + i, 200)));
        }
        sweepFinds(due("render", keys.toArray(String[]::new)));
        station.offer(due("render", keys.toArray(String[]::new)));

        assertThat(scoutFinds(due("render", "x"))).isEmpty();
        assertThat(station.lanes.ready())
                .as("half of the room is left to other handlers")
                .isLessThanOrEqualTo(500);
    }

    @Test
    void lane_wantsAScout_whileItHasABacklog() {
        assertThat(toScout()).isEmpty();
        sweepFinds(due("render", many("a", 900)));

        assertThat(toScout()).containsExactly("render");
        assertThat(toScout()).containsExactly("render");
        workOff();
        assertThat(toScout()).isEmpty();
    }

    @Test
    void laneThatHasRefusedRowsOnTime_wantsAScoutOnce_becauseTheSweepHasRoom() {
        station.offer(due("render", many("a", 900)));

        assertThat(toScout()).containsExactly("render");
        assertThat(toScout()).isEmpty();
        assertThat(sweepFinds(due("render", "a"))).isEmpty();
    }

    @Test
    void pausedLane_wantsNoScout() {
        sweepFinds(due("render", many("a", 900)));
        station.lanes.follow(new Paused(Set.of("render"), Set.of()));

        assertThat(toScout()).isEmpty();
    }

    @Test
    void laneWithoutKeys_wantsNoScout() {
        assertThat(sweepFinds(due("render", many(null, 900)))).isNotEmpty();
        assertThat(station.offer(due("render", many(null, 900)))).isNotEmpty();

        assertThat(toScout()).isEmpty();
    }

    // ---- rows of a sweep, of a scout, and on time

    @Test
    void overdueRows_haveRoomBesideRowsOnTimeOfTheirKey_andStartBeforeThem() {
        assertThat(station.offer(due("render", many("a", 900)))).as("refused").isNotEmpty();
        List<DueRow> older = overdue("render", Duration.ofMinutes(1), many("a", 2));
        DueRow oldest = overdue("render", Duration.ofMinutes(2), "a").get(0);

        assertThat(sweepFinds(older)).isEmpty();
        assertThat(scoutFinds(List.of(oldest))).isEmpty();
        assertThat(workOff(3))
                .containsExactly(oldest.id(), older.get(0).id(), older.get(1).id());
    }

    @Test
    void rowsOfAScout_leaveTheRoomOfTheSweep_andOfAdoption() {
        station.offer(due("by-rule", "a"));
        workOff();
        assertThat(sweepFinds(due("by-rule", many("a", 900)))).isNotEmpty();
        assertThat(scoutFinds(due("by-rule", many("b", 300)))).as("refused").hasSizeLessThan(280);
        assertThat(station.lanes.intake().adopting().roomFor("by-rule", "default"))
                .isZero();
        int announced = station.roomAnnounced;

        workOff(8);

        assertThat(station.roomAnnounced).isGreaterThan(announced);
        assertThat(station.lanes.intake().roomFor("by-rule", "default")).isPositive();
        assertThat(station.lanes.intake().adopting().roomFor("by-rule", "default"))
                .isPositive();
    }

    @Test
    void keyWithManyRowsOfTheSweep_needsNoScout() {
        List<DueRow> rows = due("render", many("a", 900));
        List<DueRow> refused = sweepFinds(rows);

        assertThat(scoutFinds(refused)).isEqualTo(refused);
        assertThat(scoutFinds(due("render", many("b", 5)))).isEmpty();
    }

    @Test
    void afterTheLastRowWithAKey_rowsOnTimeAndOverdueRowsAlternateAgain() {
        station.offer(due("render", "a"));
        workOff();
        List<DueRow> overdue = overdue("render", Duration.ofMinutes(1), many(null, 3));
        List<DueRow> onTime = due("render", many(null, 3));
        sweepFinds(overdue);
        station.offer(onTime);
        List<JobId> started = workOff();

        assertThat(started.subList(1, 5).stream().filter(ids(onTime)::contains)).hasSize(2);
        assertThat(toScout()).isEmpty();
    }

    @Test
    void promptClaimer_takesRowsOfFairKeys_evenIfManyAreReady() {
        station.handler(Handler.named("quick")
                .concurrency(500)
                .fairBy(arguments -> "unused")
                .calls((arguments, job) -> null));
        station.offer(due("quick", many("a", 20)));
        station.work();
        station.expectsRows = true;
        sweepFinds(due("quick", many("a", 200)));
        DueRow onTime = due("quick", "b").get(0);
        station.offer(List.of(onTime));
        station.promptClaimer.doWork();

        assertThat(station.job(onTime.id()).state()).isEqualTo(JobState.RUNNING);
    }

    @Test
    void rowsThatFindNoRoomAtTheirMutex_wantAScout() {
        List<DueRow> rows = new ArrayList<>();
        for (int i = 0; i < 600; i++) {
            rows.add(station.due(given("by-rule").mutex("a").fairKey("a")));
        }
        station.offer(rows.subList(0, 1));
        station.work();
        station.offer(rows.subList(0, 100));
        assertThat(toScout()).isEmpty();

        station.offer(rows);

        assertThat(toScout()).containsExactly("by-rule");
    }

    // ---- helpers

    private Set<String> toScout() {
        Scout.Ground ground = station.lanes.intake().takeScoutWishes();
        assertThat(ground.queues()).isEqualTo(ground.names().isEmpty() ? Set.of() : Set.of("default"));
        return ground.names();
    }

    private static Set<JobId> ids(List<DueRow> rows) {
        return rows.stream().map(DueRow::id).collect(Collectors.toSet());
    }

    private static @Nullable String[] many(@Nullable String key, int count) {
        @Nullable String[] keys = new String[count];
        Arrays.fill(keys, key);
        return keys;
    }

    private static GivenJob given(String name) {
        return GivenJob.given().name(name);
    }

    /** Writes a job for each of these keys. */
    private List<DueRow> due(String name, @Nullable String... keys) {
        return overdue(name, Duration.ZERO, keys);
    }

    /** Writes a job for each of these keys, which is overdue for that time. */
    private List<DueRow> overdue(String name, Duration by, @Nullable String... keys) {
        List<DueRow> rows = new ArrayList<>();
        for (String key : keys) {
            GivenJob job = given(name).plannedAt(station.clock.storeTime().minus(by));
            rows.add(station.due(key == null ? job : job.fairKey(key)));
        }
        return rows;
    }

    private List<DueRow> sweepFinds(List<DueRow> rows) {
        return station.lanes.intake().offerOverdue(rows, station.clock.nanoTime());
    }

    private List<DueRow> scoutFinds(List<DueRow> rows) {
        return station.lanes.intake().offerScouted(rows, station.clock.nanoTime());
    }

    private List<JobId> workOff() {
        return workOff(Integer.MAX_VALUE);
    }

    /** Lets one job after another run. Returns them in the order of their starts. */
    private List<JobId> workOff(int most) {
        station.work();
        while (attempts.size() < most && endRunning()) {
            station.work();
        }
        return List.copyOf(attempts.keySet());
    }

    /** Ends the running attempt. It takes a second, so that no job is claimed ahead. */
    private boolean endRunning() {
        CompletableFuture<Object> running = attempts.values().stream()
                .filter(attempt -> !attempt.isDone())
                .findFirst()
                .orElse(null);
        if (running == null) {
            return false;
        }
        station.clock.advance(Duration.ofSeconds(1));
        Objects.requireNonNull(running).complete(null);
        station.work();
        return true;
    }
}
