package io.delayjob.internal.dispatch;

import static org.assertj.core.api.Assertions.assertThat;

import io.delayjob.handler.Handler;
import io.delayjob.job.DueRow;
import io.delayjob.job.GivenJob;
import io.delayjob.job.JobId;
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

        assertThat(sweepFinds(due("render", many("b", 20)))).isEmpty();
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

        assertThat(sweepFinds(due("render", "x"))).isEmpty();
        assertThat(station.lanes.ready())
                .as("half of the room is left to other handlers")
                .isLessThanOrEqualTo(500);
    }

    @Test
    void lane_wantsAScout_whileItHasABacklog() {
        assertThat(station.lanes.intake().toScout()).isEmpty();
        sweepFinds(due("render", many("a", 900)));

        assertThat(station.lanes.intake().toScout()).containsExactly("render");
        assertThat(station.lanes.intake().toScout()).containsExactly("render");
        workOff();
        assertThat(station.lanes.intake().toScout()).isEmpty();
    }

    @Test
    void laneThatAlsoHasRowsOnTime_wantsAScout() {
        station.offer(due("render", many("a", 900)));
        station.lanes.intake().toScout();

        assertThat(station.lanes.intake().toScout()).containsExactly("render");
    }

    @Test
    void pausedLane_wantsNoScout() {
        sweepFinds(due("render", many("a", 900)));
        station.lanes.follow(new Paused(Set.of("render"), Set.of()));

        assertThat(station.lanes.intake().toScout()).isEmpty();
    }

    @Test
    void laneWithoutKeys_wantsNoScout() {
        assertThat(sweepFinds(due("render", many(null, 900)))).isNotEmpty();
        assertThat(station.offer(due("render", many(null, 900)))).isNotEmpty();

        assertThat(station.lanes.intake().toScout()).isEmpty();
    }

    // ---- helpers

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
        List<DueRow> rows = new ArrayList<>();
        for (String key : keys) {
            GivenJob job = given(name);
            rows.add(station.due(key == null ? job : job.fairKey(key)));
        }
        return rows;
    }

    private List<DueRow> sweepFinds(List<DueRow> rows) {
        return station.lanes.intake().offerOverdue(rows, station.clock.nanoTime());
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
