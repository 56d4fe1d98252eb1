package io.delayjob.test;

import static java.time.Duration.ofMillis;
import static java.time.Duration.ofMinutes;
import static java.time.Duration.ofSeconds;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;
import static org.assertj.core.api.Assertions.within;

import io.delayjob.handler.ConcurrencyScope;
import io.delayjob.handler.Handler;
import io.delayjob.handler.PayloadParameter;
import io.delayjob.handler.RateLimit;
import io.delayjob.job.Job;
import io.delayjob.job.JobExtras;
import io.delayjob.job.JobId;
import io.delayjob.job.JobState;
import io.delayjob.job.NewJob;
import io.delayjob.job.Partition;
import io.delayjob.settings.EngineSettings;
import io.delayjob.status.LimitedKey;
import io.delayjob.store.DueSink;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.function.UnaryOperator;
import org.junit.jupiter.api.Test;

/** Rates by key in a cluster, with the default settings. */
class KeyRatesInVirtualTimeTest {

    private static final Duration ALL_LEAD = ofSeconds(30);
    private static final PayloadParameter CUSTOMER = new PayloadParameter("customer", String.class);

    private final Cluster cluster = new Cluster();

    /** The times of all starts, by customer. */
    private final Map<String, List<Instant>> starts = new LinkedHashMap<>();

    // ---- the promise

    @Test
    void threeInstances_withKillsAndPauses_startTheRateOfEachKey_andNoMore() {
        RateLimit limit = RateLimit.of("2/s").burst(3);
        UnaryOperator<EngineSettings.Builder> shortLeases = settings -> settings.leaseDuration(ofSeconds(3));
        List<Cluster.Member> members = new ArrayList<>();
        for (String name : List.of("a", "b", "c")) {
            members.add(join(name, limit, shortLeases));
        }
        cluster.time.advance(ALL_LEAD);
        List<JobId> ids = new ArrayList<>();
        for (int i = 0; i < 12 * 700; i++) {
            ids.add(schedule(members.get(i % 3), "c" + i % 12, ofSeconds(15)));
        }
        cluster.time.advance(ofSeconds(20));
        assertEachKeyStartsInAMinute(120);

        members.get(2).process().kill();
        cluster.time.advance(ofSeconds(20));
        assertEachKeyStartsInAMinute(120);

        members.get(1).process().pause();
        cluster.time.advance(ofSeconds(8));
        members.get(1).process().resume();
        join("d", limit, shortLeases);
        cluster.time.advance(ofSeconds(20));
        assertEachKeyStartsInAMinute(120);

        cluster.time.advance(ofMinutes(4));
        assertThat(ids).allSatisfy(id -> assertThat(job(id).state()).isEqualTo(JobState.FINISHED));
        starts.forEach((customer, times) -> assertNeverMoreThan(limit, customer, times));
    }

    @Test
    void keyThatWasIdle_startsItsBurstAtOnce() {
        Cluster.Member member = join("a", RateLimit.of("1/s").burst(7), UnaryOperator.identity());
        fillBuckets(member);
        for (int i = 0; i < 20; i++) {
            schedule(member, "ann", Duration.ZERO);
        }
        cluster.time.advance(ofMillis(100));

        assertThat(starts.get("ann")).hasSize(7);
        cluster.time.advance(ofSeconds(5));
        assertThat(starts.get("ann")).hasSize(12);
    }

    // ---- others are not held up

    @Test
    void keyAtItsLimit_delaysNoOtherKey_andNoOtherHandler() {
        Cluster.Member member = join("a", RateLimit.of("1/s"), UnaryOperator.identity());
        Calls others = new Calls(cluster.time);
        member.tester().register(others.named("other"));
        cluster.time.advance(ALL_LEAD);
        for (int i = 0; i < 20_000; i++) {
            schedule(member, "busy", Duration.ZERO);
        }
        Instant begin = now();
        for (int i = 0; i < 300; i++) {
            Duration delay = ofMillis(1_000 + 100L * i);
            schedule(member, "customer-" + i, delay);
            member.tester().operations().schedule("other").after(delay);
        }
        cluster.time.advance(ofSeconds(40));

        assertThat(others.count()).isEqualTo(300);
        assertThat(others.all()).allSatisfy(call -> assertThat(call.at()).isEqualTo(call.dueAt()));
        for (int i = 0; i < 300; i++) {
            assertThat(starts.get("customer-" + i)).containsExactly(begin.plusMillis(1_000 + 100L * i));
        }
        assertThat(starts.get("busy")).hasSizeBetween(39, 42);
    }

    @Test
    void keys_takeTurns_forTheSlots() {
        Cluster.Member member = join("a", RateLimit.of("100/s"), UnaryOperator.identity());
        cluster.time.advance(ALL_LEAD);
        for (int i = 0; i < 3_000; i++) {
            schedule(member, "first", Duration.ZERO);
        }
        for (int i = 0; i < 3_000; i++) {
            schedule(member, "second", Duration.ZERO);
        }
        cluster.time.advance(ofSeconds(10));

        assertThat(starts.get("first")).hasSizeBetween(950, 1_060);
        assertThat(starts.get("second")).hasSizeBetween(950, 1_060);
    }

    @Test
    void manyRowsThatWait_costFewStatements() {
        Map<String, Integer> statements = new TreeMap<>();
        Cluster.Member member =
                cluster.join("a", Statements.counted(cluster.memory, statements), UnaryOperator.identity());
        member.tester().register(handler(RateLimit.of("1/h")));
        write(Cluster.WAITING_ROWS);
        cluster.time.advance(ALL_LEAD);

        statements.clear();
        cluster.time.advance(ofMinutes(1));

        assertThat(statements.values().stream().mapToInt(Integer::intValue).sum())
                .as("%s", statements)
                .isLessThanOrEqualTo(5 * 60);
    }

    @Test
    void jobThatItsLeaderSchedules_startsAtOnce_andAnother_withinASweep() {
        Cluster.Member leader = join("a", RateLimit.of("10/s"), UnaryOperator.identity());
        Cluster.Member other = join("b", RateLimit.of("10/s"), UnaryOperator.identity());
        cluster.time.advance(ALL_LEAD);
        String customer = customerOf(leader);

        Instant first = now();
        schedule(leader, customer, Duration.ZERO);
        cluster.time.advance(ofSeconds(10));
        Instant second = now();
        schedule(other, customer, Duration.ZERO);
        cluster.time.advance(ofSeconds(10));

        assertThat(starts.get(customer).get(0)).isBetween(first, first.plusMillis(110));
        assertThat(starts.get(customer).get(1)).isBetween(second, second.plusMillis(2_500));
    }

    @Test
    void jobsWithoutAKey_startByOneRate_inWhicheverPartitionsTheyLie() {
        Calls calls = new Calls(cluster.time);
        for (String name : List.of("a", "b")) {
            cluster.join(name)
                    .tester()
                    .register(calls.with(
                            Handler.named("call").rate(RateLimit.of("2/s")).rateBy(arguments -> "unused"),
                            (arguments, job) -> null));
        }
        cluster.time.advance(ALL_LEAD);
        List<NewJob> jobs = new ArrayList<>();
        StoreScenario rows = new StoreScenario(cluster.memory);
        for (int i = 0; i < 200; i++) {
            jobs.add(rows.job()
                    .name("call")
                    .in(new Partition("default", i % 8))
                    .at(now())
                    .toNewJob());
        }
        cluster.memory.submit(jobs, DueSink.NONE);
        cluster.time.advance(ofSeconds(20));
        int before = calls.count();
        cluster.time.advance(ofMinutes(1));

        assertThat(calls.count() - before).isCloseTo(120, within(6));
        cluster.time.advance(ofMinutes(2));
        assertThat(calls.count()).isEqualTo(200);
    }

    @Test
    void waitingJobs_areCounted_andTheirKeysAreListed() {
        Cluster.Member member = join("a", RateLimit.of("1/min"), UnaryOperator.identity());
        fillBuckets(member);
        for (int i = 0; i < 5; i++) {
            schedule(member, "ann", Duration.ZERO);
            schedule(member, "bob", Duration.ZERO);
        }
        schedule(member, "bob", Duration.ZERO);
        cluster.time.advance(ofSeconds(1));

        assertThat(member.tester().engine().status().waitingForRate()).containsExactly(Map.entry("call", 9));
        assertThat(member.tester().engine().status().limitedKeys())
                .containsExactly(
                        new LimitedKey("default", "call", "customer-bob", 5),
                        new LimitedKey("default", "call", "customer-ann", 4));
    }

    // ---- what a key belongs to

    @Test
    void key_isGivenByTheHandler_unlessTheCallStatesAnother() {
        DelayJobTester tester = DelayJobTester.create();
        tester.register(handler(RateLimit.of("10/s")));

        JobId byRule = tester.operations()
                .schedule("call")
                .with(Map.of("customer", "7"))
                .after(ofMinutes(1))
                .id();
        JobId stated = tester.operations()
                .schedule("call")
                .with(Map.of("customer", "7"))
                .rateKey("another")
                .after(ofMinutes(1))
                .id();
        JobId both = tester.operations()
                .schedule("call")
                .with(Map.of("customer", "7"))
                .mutex("customer-7")
                .after(ofMinutes(1))
                .id();

        assertThat(tester.operations().find(byRule).orElseThrow().rateKey()).isEqualTo("customer-7");
        assertThat(tester.operations().find(byRule).orElseThrow().partition())
                .isEqualTo(Partition.ofKey("default", "customer-7", 8));
        assertThat(tester.operations().find(stated).orElseThrow().rateKey()).isEqualTo("another");
        assertThat(tester.operations().find(both).orElseThrow().mutex()).isEqualTo("customer-7");
        assertThat(tester.operations().find(both).orElseThrow().rateKey()).isEqualTo("customer-7");
    }

    @Test
    void invalidKey_isRefusedAtTheCall() {
        DelayJobTester tester = DelayJobTester.create();
        tester.register(handler(RateLimit.of("10/s")));
        tester.register(Handler.named("plain").calls((arguments, job) -> null));
        tester.register(Handler.named("nothing")
                .rate(RateLimit.of("10/s"))
                .rateBy(arguments -> null)
                .calls((arguments, job) -> null));
        tester.register(Handler.named("few")
                .rate(RateLimit.of("10/s"))
                .rateBy(arguments -> "all")
                .concurrency(2)
                .scope(ConcurrencyScope.CLUSTER)
                .calls((arguments, job) -> null));

        assertThatIllegalArgumentException()
                .isThrownBy(() -> tester.operations()
                        .schedule("plain")
                        .rateKey("customer-7")
                        .now())
                .withMessage(
                        "Invalid rate key 'customer-7' for job 'plain': its handler must have a rate for each key. Add"
                                + " rateBy to the handler, or leave out the rate key.");
        assertThatIllegalArgumentException()
                .isThrownBy(() -> tester.operations()
                        .schedule("call")
                        .with(Map.of("customer", "7"))
                        .mutex("account-9")
                        .now())
                .withMessage(
                        "Invalid rate key 'customer-7' for job 'call': must be the same text as the mutex 'account-9',"
                                + " because one instance decides about rate and mutex. Use the same text for both, or leave"
                                + " out one of them.");
        assertThatIllegalArgumentException()
                .isThrownBy(() -> tester.operations().schedule("nothing").now())
                .withMessage(
                        "Invalid rate key null for job 'nothing': must be a value that identifies the thing that has a rate"
                                + " of its own. If it is a generated id, save the entity first.");
        assertThatIllegalArgumentException()
                .isThrownBy(() -> tester.operations().schedule("plain").then("nothing"))
                .withMessageContaining("must not follow another job, because its handler states a rateBy");
        assertThatIllegalArgumentException()
                .isThrownBy(() -> tester.operations().schedule("few").now())
                .withMessageContaining("Invalid rate key 'all' for job 'few' in queue 'default'")
                .withMessageContaining("must be at least 8 (delayjob.partitions)");
        assertThatIllegalArgumentException()
                .isThrownBy(() -> tester.operations()
                        .schedule("call")
                        .with(Map.of("customer", "7"))
                        .rateKey("x".repeat(101)))
                .withMessageContaining("Invalid rate key 'xxx")
                .withMessageContaining("must have 1 to 100 characters");
        assertThatIllegalArgumentException()
                .isThrownBy(
                        () -> Handler.named("no-rate").rateBy(arguments -> "7").calls((arguments, job) -> null))
                .withMessage(
                        "Invalid rateBy of handler 'no-rate': must come with a rate, which applies to each key. State a rate"
                                + " such as 10/s, or remove rateBy.");
    }

    // ---- helpers

    private Cluster.Member join(String name, RateLimit limit, UnaryOperator<EngineSettings.Builder> settings) {
        Cluster.Member member = cluster.join(name, cluster.memory, settings);
        member.tester().register(handler(limit));
        return member;
    }

    private Handler handler(RateLimit limit) {
        return Handler.named("call")
                .parameters(CUSTOMER)
                .rate(limit)
                .rateBy(arguments -> "customer-" + arguments.get(0))
                .calls((arguments, job) -> {
                    starts.computeIfAbsent((String) arguments.get(0), first -> new ArrayList<>())
                            .add(now());
                    return null;
                });
    }

    /** The first job of a handler that is registered after the start lets the buckets begin. */
    private void fillBuckets(Cluster.Member member) {
        cluster.time.advance(ALL_LEAD);
        schedule(member, "first", Duration.ZERO);
        cluster.time.advance(ofMinutes(2));
    }

    private JobId schedule(Cluster.Member member, String customer, Duration delay) {
        return member.tester()
                .operations()
                .schedule("call")
                .with(Map.of("customer", customer))
                .after(delay)
                .id();
    }

    /** Writes rows that have been due for a while, as if by other instances. One in ten has no key. */
    private void write(int count) {
        List<NewJob> jobs = new ArrayList<>();
        Instant due = now().minusSeconds(600);
        StoreScenario rows = new StoreScenario(cluster.memory);
        for (int i = 0; i < count; i++) {
            String key = "customer-" + i % 1_000;
            JobDraft job = rows.job().name("call").at(due);
            jobs.add((i % 10 == 0
                            ? job.in(new Partition("default", i / 10 % 8))
                            : job.in(Partition.ofKey("default", key, 8))
                                    .extras(JobExtras.NONE.withRateKey(key).toText()))
                    .toNewJob());
        }
        cluster.memory.submit(jobs, DueSink.NONE);
    }

    private String customerOf(Cluster.Member member) {
        List<Partition> led = member.tester().engine().status().led();
        int i = 0;
        while (!led.contains(Partition.ofKey("default", "customer-" + i, 8))) {
            i++;
        }
        return String.valueOf(i);
    }

    private Instant now() {
        return cluster.time.clock().storeTime();
    }

    private Job job(JobId id) {
        return cluster.memory.find(id).orElseThrow();
    }

    private void assertEachKeyStartsInAMinute(int count) {
        Map<String, Integer> before = new TreeMap<>();
        starts.forEach((customer, times) -> before.put(customer, times.size()));
        cluster.time.advance(ofMinutes(1));
        before.forEach((customer, times) ->
                assertThat(starts.get(customer).size() - times).as(customer).isCloseTo(count, within(count / 20)));
    }

    /** Checks the time windows from each start to each later start. No other window has more starts for its length. */
    private static void assertNeverMoreThan(RateLimit limit, String customer, List<Instant> times) {
        double lowest = Double.MAX_VALUE;
        for (int i = 0; i < times.size(); i++) {
            double beyondRate = i - limit.startsPerNano() * 1e6 * times.get(i).toEpochMilli();
            lowest = Math.min(lowest, beyondRate);
            assertThat(beyondRate - lowest + 1)
                    .as("starts of %s beyond the rate at %s", customer, times.get(i))
                    // One more if leaders change. Store time has only milliseconds.
                    .isLessThanOrEqualTo(limit.burst() + 1 + 1 + limit.startsPerNano() * 1e6);
        }
    }
}
