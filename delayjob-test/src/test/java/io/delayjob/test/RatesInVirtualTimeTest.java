package io.delayjob.test;

import static java.time.Duration.ofMinutes;
import static java.time.Duration.ofSeconds;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;
import static org.assertj.core.api.Assertions.within;

import io.delayjob.handler.Handler;
import io.delayjob.handler.RateLimit;
import io.delayjob.job.NewJob;
import io.delayjob.job.Partition;
import io.delayjob.settings.EngineSettings;
import io.delayjob.settings.QueueSettings;
import io.delayjob.store.DueSink;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.function.UnaryOperator;
import org.junit.jupiter.api.Test;

/** Tests rates of handlers and queues, with the default settings. */
class RatesInVirtualTimeTest {

    private static final Duration ALL_LEAD = ofSeconds(30);

    private final Cluster cluster = new Cluster();
    private final Calls calls = new Calls(cluster.time);

    // ---- the maximum

    @Test
    void threeInstances_ofWhichOneDies_startTheRateTogether_andNoMore() {
        RateLimit limit = RateLimit.of("30/s").burst(12);
        List<Cluster.Member> members = List.of(join("a", limit), join("b", limit), join("c", limit));
        cluster.time.advance(ALL_LEAD);
        assertThat(members).allSatisfy(member -> assertThat(member.led()).isBetween(2, 3));

        submit(members, 7_000, ofSeconds(15));
        cluster.time.advance(ofSeconds(16));
        Instant steady = now();
        cluster.time.advance(ofMinutes(1));
        assertThat(startsSince(steady)).as("three instances").isCloseTo(1_800L, within(90L));

        members.get(2).process().kill();
        cluster.time.advance(ofSeconds(30));
        Instant taken = now();
        cluster.time.advance(ofMinutes(1));

        assertThat(startsSince(taken)).as("two instances").isCloseTo(1_800L, within(90L));
        assertNeverMoreThan(limit, members.size());
    }

    @Test
    void threeInstances_withKillsAndPauses_startTheRateOfEachMinute_andNoMoreThanTheBurstInASecond() {
        RateLimit limit = RateLimit.of("30/s").burst(8);
        UnaryOperator<EngineSettings.Builder> shortLeases = settings -> settings.leaseDuration(ofSeconds(3));
        List<Cluster.Member> members = new ArrayList<>();
        for (String name : List.of("a", "b", "c")) {
            members.add(join(name, limit, shortLeases));
        }
        cluster.time.advance(ALL_LEAD);
        submit(members, 12_000, ofSeconds(15));
        cluster.time.advance(ofSeconds(16));
        assertStartsInAMinute(1_800);

        members.get(2).process().kill();
        cluster.time.advance(ofSeconds(20));
        assertStartsInAMinute(1_800);

        members.get(1).process().pause();
        cluster.time.advance(ofSeconds(8));
        members.get(1).process().resume();
        cluster.time.advance(ofSeconds(20));
        assertStartsInAMinute(1_800);

        join("d", limit, shortLeases);
        cluster.time.advance(ofSeconds(20));
        assertStartsInAMinute(1_800);

        cluster.time.advance(ofMinutes(4));
        assertThat(cluster.memory.partitionsInUse())
                .as("partitions with unfinished jobs")
                .isEmpty();
        // Three instances, one that joins, and one that leads again after it had nothing.
        assertNeverMoreThan(limit, 5);
        assertInAnySecondAtMost(30 + 8 + 5);
    }

    @Test
    void instanceThatWasPausedBeyondItsLease_doesNotUseTheRateOfOthers() {
        RateLimit limit = RateLimit.of("30/s").burst(30);
        List<Cluster.Member> members = List.of(join("a", limit), join("b", limit), join("c", limit));
        cluster.time.advance(ALL_LEAD);
        submit(members, 6_000, ofSeconds(15));
        cluster.time.advance(ofSeconds(30));

        members.get(0).process().pause();
        cluster.time.advance(ofSeconds(40));
        members.get(0).process().resume();
        cluster.time.advance(ofSeconds(60));

        assertNeverMoreThan(limit, members.size() + 1);
    }

    @Test
    void queueWithARate_startsItsHandlersTogetherByThatRate() {
        RateLimit limit = RateLimit.of("20/s");
        Cluster.Member member = cluster.join(
                "a",
                cluster.memory,
                settings -> settings.queues(Map.of("default", new QueueSettings(16, true, limit))));
        member.tester().register(calls.named("job"));
        member.tester().register(calls.named("other"));
        cluster.time.advance(ALL_LEAD);

        Instant begin = now();
        for (int i = 0; i < 2_000; i++) {
            member.tester().operations().schedule(i % 2 == 0 ? "job" : "other").now();
        }
        cluster.time.advance(ofMinutes(1));

        assertThat(startsSince(begin)).isCloseTo(1_200L, within(60L));
        assertNeverMoreThan(limit, 1);
    }

    @Test
    void jobsThatAreAllInPartitionsOfOneInstance_areStartedByTheOthersToo() {
        RateLimit limit = RateLimit.of("30/s");
        List<Cluster.Member> members = List.of(join("a", limit), join("b", limit), join("c", limit));
        cluster.time.advance(ALL_LEAD);

        // Rows that are due at once get a partition that the writing instance leads.
        for (int i = 0; i < 4_000; i++) {
            members.get(0).tester().operations().schedule("job").now();
        }
        cluster.time.advance(ofSeconds(20));
        Instant adopted = now();
        cluster.time.advance(ofMinutes(1));

        assertThat(startsSince(adopted))
                .as("of 1,800, of which the writer may start 675")
                .isGreaterThan(1_080L);
        assertNeverMoreThan(limit, members.size());
    }

    // ---- other handlers

    @Test
    void handlerAtItsLimit_delaysNoOtherHandler() {
        Cluster.Member member = join("a", RateLimit.of("1/s"));
        Calls others = new Calls(cluster.time);
        member.tester().register(others.named("other"));
        cluster.time.advance(ALL_LEAD);
        for (int i = 0; i < 20_000; i++) {
            member.tester().operations().schedule("job").now();
        }
        for (int i = 0; i < 1_000; i++) {
            member.tester().operations().schedule("other").after(Duration.ofMillis(20L * i));
        }
        cluster.time.advance(ofSeconds(30));

        assertThat(others.count()).isEqualTo(1_000);
        assertThat(others.all()).allSatisfy(call -> assertThat(call.at()).isEqualTo(call.dueAt()));
        assertThat(calls.count()).isBetween(25, 32);
    }

    @Test
    void dueRowsThatWait_areCounted() {
        Cluster.Member member = join("a", RateLimit.of("1/min"));
        cluster.time.advance(ALL_LEAD);
        for (int i = 0; i < 100; i++) {
            member.tester().operations().schedule("job").now();
        }
        cluster.time.advance(ofSeconds(1));
        assertThat(member.tester().engine().status().waitingForRate()).containsOnlyKeys("job");
        assertThat(member.tester().engine().status().waitingForRate().get("job"))
                .isBetween(98, 100);
    }

    @Test
    void manyRowsThatWait_costFewStatements() {
        Map<String, Integer> statements = new TreeMap<>();
        Cluster.Member member =
                cluster.join("a", Statements.counted(cluster.memory, statements), UnaryOperator.identity());
        member.tester().register(calls.with(Handler.named("job").rate(RateLimit.of("1/h")), (arguments, job) -> null));
        write(Cluster.WAITING_ROWS);
        cluster.time.advance(ALL_LEAD);

        statements.clear();
        cluster.time.advance(ofMinutes(1));

        assertThat(statements.values().stream().mapToInt(Integer::intValue).sum())
                .as("%s", statements)
                .isLessThanOrEqualTo(5 * 60);
    }

    @Test
    void handlerThatAsksForARest_isNotCalledMeanwhile_andOthersAre() {
        Cluster.Member member = cluster.join("a");
        member.tester().register(calls.with(Handler.named("job"), (arguments, job) -> {
            assertThatIllegalArgumentException()
                    .isThrownBy(() -> job.rest(ofSeconds(-1)))
                    .withMessage("Invalid time PT-1S of a rest: must be zero or more.");
            job.rest(ofSeconds(20));
            return null;
        }));
        Calls others = new Calls(cluster.time);
        member.tester().register(others.named("other"));
        cluster.time.advance(ALL_LEAD);
        Instant begin = now();
        for (int i = 0; i < 3; i++) {
            member.tester().operations().schedule("job").after(ofSeconds(i));
            member.tester().operations().schedule("other").after(ofSeconds(i));
        }
        cluster.time.advance(ofMinutes(1));

        assertThat(calls.after(begin)).containsExactly(ofSeconds(0), ofSeconds(20), ofSeconds(20));
        assertThat(others.after(begin)).containsExactly(ofSeconds(0), ofSeconds(1), ofSeconds(2));
    }

    // ---- steps

    private Cluster.Member join(String name, RateLimit limit) {
        return join(name, limit, UnaryOperator.identity());
    }

    private Cluster.Member join(String name, RateLimit limit, UnaryOperator<EngineSettings.Builder> settings) {
        Cluster.Member member = cluster.join(name, cluster.memory, settings);
        member.tester().register(calls.with(Handler.named("job").rate(limit), (arguments, job) -> null));
        return member;
    }

    private static void submit(List<Cluster.Member> members, int count, Duration delay) {
        for (int i = 0; i < count; i++) {
            members.get(i % members.size())
                    .tester()
                    .operations()
                    .schedule("job")
                    .after(delay);
        }
    }

    /** Writes rows that have been due for a while, as if by other instances. */
    private void write(int count) {
        List<NewJob> jobs = new ArrayList<>();
        Instant due = now().minusSeconds(600);
        StoreScenario rows = new StoreScenario(cluster.memory);
        for (int i = 0; i < count; i++) {
            jobs.add(rows.job()
                    .name("job")
                    .in(new Partition("default", i % 8))
                    .at(due)
                    .toNewJob());
        }
        cluster.memory.submit(jobs, DueSink.NONE);
    }

    private Instant now() {
        return cluster.time.clock().storeTime();
    }

    private long startsSince(Instant from) {
        return calls.times().stream().filter(at -> !at.isBefore(from)).count();
    }

    private void assertStartsInAMinute(long count) {
        Instant begin = now();
        cluster.time.advance(ofMinutes(1));
        assertThat(startsSince(begin)).as("in the minute from %s on", begin).isCloseTo(count, within(count / 20));
    }

    private void assertInAnySecondAtMost(int most) {
        List<Instant> starts = calls.times();
        int first = 0;
        for (int i = 0; i < starts.size(); i++) {
            while (!starts.get(first).isAfter(starts.get(i).minusSeconds(1))) {
                first++;
            }
            assertThat(i - first + 1)
                    .as("in the second before %s", starts.get(i))
                    .isLessThanOrEqualTo(most);
        }
    }

    /** Checks the time windows from each start to each later start. No other window has more starts for its length. */
    private void assertNeverMoreThan(RateLimit limit, int instances) {
        double lowest = Double.MAX_VALUE;
        List<Instant> starts = calls.times();
        for (int i = 0; i < starts.size(); i++) {
            double beyondRate = i - limit.startsPerNano() * 1e6 * starts.get(i).toEpochMilli();
            lowest = Math.min(lowest, beyondRate);
            assertThat(beyondRate - lowest + 1)
                    .as("starts beyond the rate at %s", starts.get(i))
                    // Store time has only milliseconds.
                    .isLessThanOrEqualTo(limit.burst() + instances + limit.startsPerNano() * 1e6);
        }
    }
}
