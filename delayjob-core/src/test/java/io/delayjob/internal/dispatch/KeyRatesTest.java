package io.delayjob.internal.dispatch;

import static org.assertj.core.api.Assertions.assertThat;

import io.delayjob.handler.Handler;
import io.delayjob.handler.RateLimit;
import io.delayjob.internal.key.Gates;
import io.delayjob.job.ClaimKeys;
import io.delayjob.job.DueRow;
import io.delayjob.job.GivenJob;
import io.delayjob.job.JobId;
import io.delayjob.job.JobState;
import io.delayjob.job.Paused;
import io.delayjob.status.LimitedKey;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import org.junit.jupiter.api.Test;

/** Rates by key on one instance. */
class KeyRatesTest {

    private final Map<JobId, CompletableFuture<Object>> attempts = new LinkedHashMap<>();
    private final Station station = station(100, 1_000);

    private Station station(int slots, int maxReady) {
        Station made = new Station(slots, maxReady, new Station.TextCodec());
        made.handler(handler("call", "10/s"));
        made.handler(handler("rare", "1/min"));
        made.handler("plain", (arguments, job) -> null);
        // The buckets begin with the first look at the leases, and are full after this time.
        made.lanes.openLane("call", "default");
        made.lanes.openLane("rare", "default");
        made.work();
        made.clock.advance(Duration.ofMinutes(2));
        return made;
    }

    private Handler handler(String name, String rate) {
        return Handler.named(name)
                .rate(RateLimit.of(rate))
                .rateBy(arguments -> "unused")
                .calls((arguments, job) -> {
                    CompletableFuture<Object> attempt = new CompletableFuture<>();
                    attempts.put(job.id(), attempt);
                    return attempt;
                });
    }

    @Test
    void jobsOfOneKey_startByItsRate_andOtherJobsGoOn() {
        List<DueRow> many = due(30, "customer-7");
        DueRow other = due("customer-8");
        DueRow plain = station.due("plain");
        station.offer(many);
        station.offer(List.of(other, plain));
        station.work();

        assertThat(attempts).containsOnlyKeys(many.get(0).id(), other.id());
        assertThat(station.state(plain.id())).isEqualTo(JobState.FINISHED);
        assertThat(station.state(many.get(1).id())).as("not claimed").isEqualTo(JobState.DELAYED);
        assertThat(station.lanes.occupancy().waitingForRate()).containsExactly(Map.entry("call", 29));
        assertThat(station.lanes.occupancy().limitedKeys())
                .containsExactly(new LimitedKey("default", "call", "customer-7", 29));

        pass(Duration.ofSeconds(1));
        assertThat(attempts).hasSizeBetween(11, 13);
        pass(Duration.ofSeconds(2));

        assertThat(attempts).hasSize(31);
        assertThat(station.lanes.occupancy().waitingForRate()).isEmpty();
        assertThat(station.lanes.occupancy().limitedKeys()).isEmpty();
    }

    @Test
    void keys_takeTurns() {
        List<DueRow> rows = new ArrayList<>();
        rows.addAll(due(5, "customer-7"));
        rows.addAll(due(5, "customer-8"));
        station.offer(rows);
        station.work();
        pass(Duration.ofSeconds(2));

        List<String> order =
                attempts.keySet().stream().map(id -> station.job(id).rateKey()).toList();
        for (int i = 0; i < 10; i += 2) {
            assertThat(order.subList(i, i + 2)).containsExactlyInAnyOrder("customer-7", "customer-8");
        }
    }

    @Test
    void keyThatWasIdle_startsItsBurst_andNoMore() {
        Station bursty = new Station(100);
        bursty.handler(Handler.named("call")
                .rate(RateLimit.of("1/min").burst(5))
                .rateBy(arguments -> "unused")
                .calls((arguments, job) -> {
                    attempts.put(job.id(), new CompletableFuture<>());
                    return attempts.get(job.id());
                }));
        bursty.lanes.openLane("call", "default");
        bursty.work();
        bursty.clock.advance(Duration.ofHours(1));
        bursty.offer(due(bursty, 20, "customer-7"));
        bursty.work();

        assertThat(attempts).hasSize(5);
    }

    @Test
    void waitingJobs_costNoStatement() {
        List<DueRow> rows = due(50, "rare", "customer-7");
        station.offer(rows);
        station.work();
        station.store.forgetCalls();

        for (int i = 0; i < 100; i++) {
            station.clock.advanceMillis(100);
            station.offer(rows);
            station.work();
        }

        assertThat(attempts).hasSize(1);
        assertThat(station.store.calls("claim")).isEmpty();
        assertThat(station.store.calls("claimedByOthers")).isEmpty();
    }

    @Test
    void jobsWithoutAKey_shareOneRate() {
        List<DueRow> rows = station.due("call", 10);
        station.offer(rows);
        station.work();

        assertThat(attempts).hasSize(1);
        pass(Duration.ofMillis(450));
        assertThat(attempts).hasSizeBetween(5, 6);
    }

    @Test
    void rowOfAnotherLeader_isDropped() {
        DueRow row = due("customer-7");
        station.term = 0;

        assertThat(station.offer(List.of(row))).as("refused").isEmpty();
        assertThat(station.lanes.intake().isRunHere(row)).isFalse();
        station.work();

        assertThat(attempts).isEmpty();
        assertThat(station.lanes.held(Set.of(row.id()))).isEmpty();
    }

    @Test
    void newLease_beginsWithoutABurst() {
        Station bursty = new Station(100);
        bursty.handler(Handler.named("call")
                .rate(RateLimit.of("10/s").burst(50))
                .rateBy(arguments -> "unused")
                .calls((arguments, job) -> {
                    attempts.put(job.id(), new CompletableFuture<>());
                    return attempts.get(job.id());
                }));
        bursty.lanes.openLane("call", "default");
        bursty.work();
        bursty.clock.advance(Duration.ofMinutes(1));
        bursty.term = 2;
        bursty.offer(due(bursty, 200, "customer-7"));
        bursty.work();

        assertThat(attempts).as("at most the fraction of a token").isEmpty();
    }

    @Test
    void waitingJobs_areDroppedWithTheLease() {
        List<DueRow> rows = due(5, "customer-7");
        station.offer(rows);
        station.work();
        station.term = 0;
        pass(Duration.ofSeconds(1));

        assertThat(attempts).hasSize(1);
        assertThat(station.lanes.held(ids(rows))).containsExactly(rows.get(0).id());
    }

    @Test
    void claimedJob_whoseLeaseHasEnded_isGivenBack_andNotStarted() {
        DueRow row = due("customer-7");
        station.offer(List.of(row));
        station.store.during("claim", () -> station.term = 2);

        station.work();

        assertThat(attempts).isEmpty();
        assertThat(station.state(row.id())).isEqualTo(JobState.DELAYED);
        pass(Duration.ofSeconds(1));
        station.offerAsItStands(row.id());
        station.work();
        assertThat(attempts).containsKey(row.id());
    }

    @Test
    void claimThatPassesTheRowOver_leavesTheTokenToTheNextRow() {
        DueRow first = due("rare", "customer-7");
        DueRow second = due("rare", "customer-7");
        station.store.lock(first.id());
        station.offer(List.of(first, second));

        station.work();

        assertThat(attempts).containsOnlyKeys(second.id());
    }

    @Test
    void rowsOfOneKeyThatHaveAllChanged_costFewClaims() {
        List<DueRow> rows = due(50, "rare", "customer-7");
        rows.subList(1, 50).forEach(row -> station.store.lock(row.id()));
        station.offer(rows);
        station.work();
        station.store.forgetCalls();

        pass(Duration.ofMinutes(1));

        assertThat(station.store.calls("claim")).hasSizeBetween(3, 10);
    }

    @Test
    void pause_forgetsTheRowsThatWait() {
        List<DueRow> rows = due(5, "customer-7");
        station.offer(rows);
        station.work();

        station.lanes.follow(Paused.handlers(Set.of("call")));

        assertThat(station.lanes.held(ids(rows))).containsExactly(rows.get(0).id());
        station.lanes.follow(Paused.NOTHING);
        pass(Duration.ofSeconds(1));
        assertThat(attempts).hasSize(1);
        station.offer(rows.subList(1, 5));
        station.work();
        assertThat(attempts).hasSize(2);
    }

    @Test
    void pauseJustBeforeTheDueTime_forgetsAllRows_andLeavesNothingForALaterOne() {
        Instant soon = station.clock.storeTime().plusMillis(10);
        List<DueRow> rows = List.of(dueAt(soon, "customer-7"), dueAt(soon, "customer-7"));
        station.offer(rows);
        station.work();

        station.lanes.follow(Paused.handlers(Set.of("rare")));

        assertThat(station.lanes.held(ids(rows))).isEmpty();
        station.lanes.follow(Paused.NOTHING);
        station.offer(due(2, "rare", "customer-7"));
        station.work();
        assertThat(attempts).hasSize(1);
        int looks = 0;
        for (Instant end = station.clock.storeTime().plusSeconds(10);
                station.clock.storeTime().isBefore(end);
                looks++) {
            station.clock.advance(Duration.ofNanos(Math.min(
                    Math.max(1_000_000, station.lanes.claims().untilNanos()),
                    Duration.ofSeconds(10).toNanos())));
            station.work();
        }
        assertThat(looks).as("looks until the key has a token").isLessThan(50);
    }

    @Test
    void newerVersionOfARow_waitsForItsOwnKeyOnly() {
        List<DueRow> rows = due(3, "rare", "customer-7");
        station.offer(rows);
        station.work();

        station.offer(List.of(newer(rows.get(2), ofKey("customer-8"))));
        station.work();

        assertThat(station.lanes.occupancy().limitedKeys())
                .containsExactly(new LimitedKey("default", "rare", "customer-7", 1));
    }

    @Test
    void rowThatGetsAnotherKeyJustBeforeItsClaim_leavesItsTokenToTheNextRow() {
        Station narrow = station(1, 1_000);
        DueRow busy = due(narrow, "customer-9");
        narrow.offer(List.of(busy));
        narrow.work();
        DueRow first = due(narrow, "rare", "customer-7");
        DueRow second = due(narrow, "rare", "customer-7");
        narrow.offer(List.of(first, second));
        narrow.work();

        narrow.offer(List.of(newer(first, ofKey("customer-8"))));
        attempts.get(busy.id()).complete(null);
        narrow.work();

        assertThat(attempts).containsOnlyKeys(busy.id(), second.id());
    }

    @Test
    void rowThatGetsTheBusyMutexOfAnotherKeyJustBeforeItsClaim_leavesItsTokenToTheNextRow() {
        Station narrow = station(2, 1_000);
        DueRow holder = withMutex(narrow, "customer-8");
        DueRow busy = due(narrow, "customer-9");
        narrow.offer(List.of(holder, busy));
        narrow.work();
        DueRow first = due(narrow, "rare", "customer-7");
        DueRow second = due(narrow, "rare", "customer-7");
        narrow.offer(List.of(first, second));
        narrow.work();

        narrow.offer(List.of(newer(first, new ClaimKeys("customer-8", "customer-8", null))));
        attempts.get(busy.id()).complete(null);
        narrow.work();

        assertThat(attempts).containsOnlyKeys(holder.id(), busy.id(), second.id());
    }

    /** After a sleep of the machine, a lease is not trusted for a while, and then it is the same lease. */
    @Test
    void waitingRows_ofARowThatComesWhileTheLeaseIsNotTrusted_startUnderTheSameLeaseLater() {
        List<DueRow> rows = due(3, "rare", "customer-7");
        station.offer(rows);

        station.term = 0;
        station.claimer.doWork();
        station.term = 1;
        DueRow last = rows.get(2);
        station.offer(List.of(last));
        station.work();

        assertThat(attempts).containsOnlyKeys(last.id());
    }

    @Test
    void rowThatFindsItsMutexFreeButNoToken_doesNotKeepTheMutexFromTheNextRow() {
        DueRow holder = withMutex("customer-7");
        station.offer(List.of(holder));
        station.work();
        DueRow first = withMutex("customer-7");
        DueRow second = withMutex("customer-7");
        station.offer(List.of(first, second));
        pass(Duration.ofSeconds(1));
        assertThat(station.lanes.occupancy().waitingForMutex()).isEqualTo(2);
        station.offer(due(10, "customer-7"));
        station.work();

        attempts.get(holder.id()).complete(null);
        station.work();
        assertThat(attempts).as("no token").doesNotContainKeys(first.id(), second.id());
        station.offer(List.of(newer(first, ofKey("customer-8"))));
        pass(Duration.ofSeconds(2));

        assertThat(attempts).containsKey(second.id());
    }

    /** Otherwise the rows would go to and fro between the rate and the mutex. */
    @Test
    void rowsThatWaitForTheRateOfTheirKey_stayThere_whileTheMutexOfTheKeyIsBusy() {
        station.offer(List.of(withMutex("customer-7")));
        station.work();
        List<DueRow> rows = new ArrayList<>();
        for (int i = 0; i < 50; i++) {
            rows.add(withMutex("customer-7"));
        }
        station.offer(rows);

        pass(Duration.ofMillis(250));

        assertThat(station.lanes.occupancy().waitingForMutex()).isBetween(1, 5);
        assertThat(station.lanes.occupancy().waitingForRate().get("call")).isBetween(45, 49);
    }

    @Test
    void keyThatIsAlsoTheMutex_startsByItsRate_andOneAtATime() {
        List<DueRow> rows = new ArrayList<>();
        for (int i = 0; i < 3; i++) {
            rows.add(withMutex("customer-7"));
        }
        station.offer(rows);
        station.work();
        pass(Duration.ofSeconds(5));
        assertThat(attempts).containsOnlyKeys(rows.get(0).id());

        attempts.get(rows.get(0).id()).complete(null);
        station.work();
        assertThat(attempts).hasSize(2);
    }

    @Test
    void keyWithManyRows_leavesRoomForOthers_andKeepsWhatItStartsInAMinute() {
        List<DueRow> many = due(1_000, "rare", "customer-7");
        station.offer(many);
        station.work();

        assertThat(station.lanes.held(ids(many))).hasSize(1 + 10);
        Station small = station(4, 400);
        small.offer(due(small, 1_000, "many"));
        small.work();
        assertThat(small.lanes.occupancy().limitedKeys())
                .singleElement()
                .satisfies(key -> assertThat(key.waiting()).isBetween(100, 200));
    }

    @Test
    void idleKeys_areForgotten_andNeverStartMoreThanTheirRate() {
        Station many = new Station(1_000, 10_000, new Station.TextCodec());
        many.handler(Handler.named("call")
                .rate(RateLimit.of("1/d"))
                .rateBy(arguments -> "unused")
                .calls((arguments, job) -> {
                    attempts.put(job.id(), CompletableFuture.completedFuture(null));
                    return null;
                }));
        many.lanes.openLane("call", "default");
        many.work();
        many.clock.advance(Duration.ofDays(2));
        int keys = 2 * Gates.MOST_IDLE_KEYS;
        for (int i = 0; i < keys; i += 100) {
            List<DueRow> rows = new ArrayList<>();
            for (int n = 0; n < 100; n++) {
                rows.add(due(many, "customer-" + (i + n)));
            }
            many.offer(rows);
            many.work();
            many.clock.advanceMillis(10);
        }
        assertThat(many.lanes.gates.known()).isBetween(1_000, 2 * Gates.MOST_IDLE_KEYS);
        int started = attempts.size();
        assertThat(started).as("none before keys were forgotten").isGreaterThan(Gates.MOST_IDLE_KEYS);

        for (int i = 0; i < 1_000; i++) {
            many.offer(List.of(due(many, "customer-" + i)));
        }
        many.work();
        assertThat(attempts).as("forgotten keys start nothing more").hasSize(started);
    }

    /** Lets time pass, and does all there is to do whenever the claimer wants to look again. */
    private void pass(Duration duration) {
        long end = station.clock.nanoTime() + duration.toNanos();
        while (station.clock.nanoTime() - end < 0) {
            long until = Math.max(1_000_000, station.lanes.claims().untilNanos());
            station.clock.advance(Duration.ofNanos(Math.min(until, end - station.clock.nanoTime())));
            station.work();
        }
    }

    private DueRow dueAt(Instant due, String key) {
        return station.due(GivenJob.given().name("rare").rateKey(key).plannedAt(due));
    }

    private static Set<JobId> ids(List<DueRow> rows) {
        return rows.stream().map(DueRow::id).collect(java.util.stream.Collectors.toSet());
    }

    private List<DueRow> due(int count, String key) {
        return due(station, count, key);
    }

    private List<DueRow> due(int count, String name, String key) {
        List<DueRow> rows = new ArrayList<>();
        for (int i = 0; i < count; i++) {
            rows.add(due(name, key));
        }
        return rows;
    }

    private static List<DueRow> due(Station at, int count, String key) {
        List<DueRow> rows = new ArrayList<>();
        for (int i = 0; i < count; i++) {
            rows.add(due(at, key));
        }
        return rows;
    }

    private DueRow withMutex(String key) {
        return withMutex(station, key);
    }

    private static DueRow withMutex(Station at, String key) {
        return at.due(GivenJob.given().name("call").rateKey(key).mutex(key));
    }

    private static ClaimKeys ofKey(String key) {
        return new ClaimKeys(null, key, null);
    }

    private static DueRow newer(DueRow row, ClaimKeys keys) {
        return new DueRow(row.id(), row.partition(), row.name(), row.dueMillis(), row.token() + 1, keys);
    }

    private DueRow due(String key) {
        return due(station, key);
    }

    private DueRow due(String name, String key) {
        return due(station, name, key);
    }

    private static DueRow due(Station at, String key) {
        return due(at, "call", key);
    }

    private static DueRow due(Station at, String name, String key) {
        return at.due(GivenJob.given().name(name).rateKey(key));
    }
}
