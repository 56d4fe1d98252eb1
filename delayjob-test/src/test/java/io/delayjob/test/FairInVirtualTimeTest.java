package io.delayjob.test;

import static java.time.Duration.ofMillis;
import static java.time.Duration.ofMinutes;
import static java.time.Duration.ofSeconds;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;

import io.delayjob.ScheduleSpec;
import io.delayjob.event.JobListener;
import io.delayjob.handler.Handler;
import io.delayjob.handler.PayloadParameter;
import io.delayjob.handler.RateLimit;
import io.delayjob.job.Job;
import io.delayjob.job.JobId;
import io.delayjob.settings.EngineSettings;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Collections;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Set;
import java.util.TreeSet;
import java.util.concurrent.CompletableFuture;
import java.util.function.UnaryOperator;
import org.junit.jupiter.api.Test;

/** Fair keys in a cluster, with the settings of production. Each instance runs four jobs at a time, 200 ms each. */
class FairInVirtualTimeTest {

    private static final Duration ALL_LEAD = ofSeconds(30);
    private static final Duration TAKES = ofMillis(200);

    /** Starts in a second on three instances. */
    private static final int RATE = 60;

    private record Attempt(JobId id, String fairKey, Instant at) {}

    private final Cluster cluster = new Cluster();
    private final List<Attempt> attempts = new ArrayList<>();
    private final Set<String> reads = new TreeSet<>();
    private Handler.Builder rules = Handler.named("render").concurrency(4);
    private Duration takes = TAKES;
    private boolean mutexIsFairKey;

    // ---- the promise

    @Test
    void jobOfAnotherTenant_startsInItsTurn_behindABacklogOfThreeInstances() {
        List<Cluster.Member> members = List.of(join("a"), join("b"), join("c"));
        Cluster.Member outside = outside();
        cluster.time.advance(ALL_LEAD);
        schedule(outside, "huge", 12_000);
        cluster.time.advance(ofSeconds(10));

        for (int i = 0; i < 10; i++) {
            assertThat(latenessOf(members.get(i % 3), "small-" + i)).isLessThan(ofMillis(700));
            assertThat(latenessOf(outside, "other-" + i)).isLessThan(ofMillis(3_000));
        }
        assertThat(starts("huge")).as("the backlog goes on").isBetween(1_000L, 6_000L);
        assertEachStartedOnce();
    }

    @Test
    void jobOfAnotherTenant_thatBecomesDueLater_startsAtItsTime() {
        Cluster.Member member = join("a");
        Cluster.Member outside = outside();
        cluster.time.advance(ALL_LEAD);
        schedule(outside, "huge", 12_000);
        JobId later = outside.tester()
                .operations()
                .schedule("render")
                .fairKey("small")
                .after(ofMinutes(1))
                .id();
        cluster.time.advance(ofSeconds(63));

        Attempt attempt = attemptOf(later);
        assertThat(Duration.between(job(later).dueAt(), attempt.at())).isLessThan(ofMillis(700));
        assertThat(member.led()).isEqualTo(8);
    }

    @Test
    void oldJobBehindABacklog_startsSoonAfterTheInstancesDo() {
        Cluster.Member outside = outside();
        schedule(outside, "huge", 12_000);
        cluster.time.advance(ofMinutes(1));
        List<JobId> small = schedule(outside, "small", 12);
        cluster.time.advance(ofMinutes(1));

        join("a");
        join("b");
        join("c");
        Instant begin = now();
        cluster.time.advance(ofSeconds(45));

        assertThat(small)
                .allSatisfy(id ->
                        assertThat(Duration.between(begin, attemptOf(id).at())).isLessThan(ALL_LEAD.plusSeconds(5)));
        assertThat(starts("huge")).isLessThan(5_000);
    }

    @Test
    void tenants_haveEqualShares_andTheLongestBacklogGetsTheRest() {
        join("a");
        join("b");
        join("c");
        Cluster.Member outside = outside();
        cluster.time.advance(ALL_LEAD);
        schedule(outside, "huge", 12_000);
        for (String tenant : List.of("x", "y", "z")) {
            schedule(outside, tenant, 600);
        }
        cluster.time.advance(ofSeconds(5));
        List<String> tenants = List.of("huge", "x", "y", "z");
        List<Long> before = tenants.stream().map(this::starts).toList();
        cluster.time.advance(ofSeconds(20));

        long share = 20L * RATE / 4;
        for (int i = 0; i < 4; i++) {
            assertThat(starts(tenants.get(i)) - before.get(i))
                    .as(tenants.get(i))
                    .isBetween(share * 2 / 3, share * 3 / 2);
        }
        cluster.time.advance(ofSeconds(40));
        assertThat(tenants.subList(1, 4))
                .allSatisfy(tenant -> assertThat(starts(tenant)).isEqualTo(600));
    }

    @Test
    void thousandTenantsWithBacklogs_allHaveTheirTurns() {
        join("a");
        join("b");
        join("c");
        Cluster.Member outside = outside();
        cluster.time.advance(ALL_LEAD);
        schedule(outside, "huge", 6_000);
        for (int i = 0; i < 10; i++) {
            for (int tenant = 0; tenant < 1_000; tenant++) {
                schedule(outside, "tenant-" + tenant, 1);
            }
        }
        // Each instance has jobs of all tenants, so a round takes 50 seconds.
        cluster.time.advance(ofSeconds(60));

        Map<String, Integer> starts = new HashMap<>();
        attempts.forEach(attempt -> starts.merge(attempt.fairKey(), 1, Integer::sum));
        assertThat(starts).as("nearly all had a turn").hasSizeGreaterThan(990);
        assertThat(starts.remove("huge")).isLessThan(100);
        assertThat(starts.values()).as("nobody had many").allMatch(count -> count <= 8);
    }

    @Test
    void jobsBehindARate_takeTurns_too() {
        rules = Handler.named("render").rate(RateLimit.of("10/s"));
        List<Cluster.Member> members = List.of(join("a"), join("b"), join("c"));
        Cluster.Member outside = outside();
        cluster.time.advance(ALL_LEAD);
        schedule(outside, "huge", 6_000);
        cluster.time.advance(ofSeconds(10));

        for (int i = 0; i < 5; i++) {
            assertThat(latenessOf(members.get(i % 3), "small-" + i)).isLessThan(ofMillis(1_500));
            assertThat(latenessOf(outside, "other-" + i)).isLessThan(ofMillis(4_000));
        }
    }

    @Test
    void instanceThatDies_leavesItsTenantsToTheOthers() {
        join("a");
        join("b");
        Cluster.Member doomed = join("c");
        Cluster.Member outside = outside();
        cluster.time.advance(ALL_LEAD);
        schedule(outside, "huge", 12_000);
        List<JobId> small = new ArrayList<>();
        cluster.time.advance(ofSeconds(3));
        doomed.process().kill();
        for (int i = 0; i < 20; i++) {
            small.addAll(schedule(outside, "small-" + i, 1));
        }
        cluster.time.advance(ofSeconds(40));

        assertThat(small)
                .allSatisfy(id -> assertThat(attempts.stream().map(Attempt::id)).contains(id));
        assertThat(starts("huge")).isLessThan(5_000);
    }

    // ---- order and liveness

    @Test
    void jobsOfAKey_startInTheOrderInWhichTheyComeDue_howeverLongTheirBacklog() {
        takes = ofMillis(10);
        rules = Handler.named("render").concurrency(16);
        Cluster.Member outside = outside();
        List<JobId> backlog = new ArrayList<>();
        for (int i = 0; i < 300; i++) {
            backlog.addAll(schedule(outside, "huge", 100));
            cluster.time.advance(ofMillis(20));
        }
        cluster.time.advance(ofSeconds(3));
        join("a");
        cluster.time.advance(ALL_LEAD);

        Map<JobId, Integer> places = new HashMap<>();
        backlog.forEach(id -> places.put(id, places.size()));
        assertThat(attempts).hasSizeGreaterThan(20_000);
        for (int i = 0; i < attempts.size(); i++) {
            assertThat(Math.abs(places.get(attempts.get(i).id()) - i))
                    .as("%s. start", i)
                    .isLessThan(3_000);
        }
    }

    @Test
    void jobsInPartitionsWhoseLeaderLacksTheHandler_areAdopted_duringAFairBacklog() {
        cluster.join("lacks-the-handler", cluster.memory, UnaryOperator.identity())
                .tester()
                .register(Handler.named("other").calls((arguments, job) -> null));
        Cluster.Member member = join("b");
        Cluster.Member outside = outside();
        cluster.time.advance(ALL_LEAD);
        List<JobId> first = schedule(outside, "huge", 100);
        cluster.time.advance(ofMillis(1));
        schedule(outside, "huge", 6_000);
        schedule(outside, "small", 600);
        cluster.time.advance(ofSeconds(90));

        assertThat(member.led()).isEqualTo(4);
        assertThat(starts("huge")).isLessThan(5_000);
        assertThat(attempts.stream().map(Attempt::id).filter(first::contains))
                .as("oldest jobs, of which half lie in partitions of the other instance")
                .hasSize(100);
    }

    @Test
    void jobOfAnotherTenant_startsSoon_ifEachTenantHasAMutex() {
        rules = Handler.named("render").concurrency(4);
        join("a");
        Cluster.Member outside = outside();
        cluster.time.advance(ALL_LEAD);
        mutexIsFairKey = true;
        schedule(outside, "huge", 40_000);
        cluster.time.advance(ofSeconds(10));

        for (int i = 0; i < 5; i++) {
            assertThat(latenessOf(outside, "other-" + i)).isLessThan(ofMillis(3_000));
        }
    }

    // ---- at no cost where it is unused

    @Test
    void backlogWithoutKeys_isNeverScouted() {
        join("a");
        Cluster.Member outside = outside();
        cluster.time.advance(ALL_LEAD);
        for (int i = 0; i < 12_000; i++) {
            outside.tester().operations().schedule("render").now();
        }
        cluster.time.advance(ofMinutes(1));

        assertThat(reads).contains("sweep").doesNotContain("scout");
    }

    @Test
    void scout_readsOnlyDuringABacklog() {
        join("a");
        Cluster.Member outside = outside();
        cluster.time.advance(ALL_LEAD);
        schedule(outside, "small", 20);
        cluster.time.advance(ofSeconds(10));
        assertThat(reads).doesNotContain("scout");

        schedule(outside, "huge", 12_000);
        cluster.time.advance(ofSeconds(10));

        assertThat(reads).contains("scout");
    }

    // ---- what a fair key belongs to

    @Test
    void fairKey_isGivenByTheHandler_unlessTheCallStatesAnother() {
        DelayJobTester tester = DelayJobTester.create();
        tester.register(Handler.named("render")
                .parameters(new PayloadParameter("tenant", String.class))
                .fairBy(arguments -> arguments.get(0))
                .calls((arguments, job) -> null));

        JobId byRule = tester.operations()
                .schedule("render")
                .with(Map.of("tenant", "acme"))
                .after(ofMinutes(1))
                .id();
        JobId stated = tester.operations()
                .schedule("render")
                .with(Map.of("tenant", "acme"))
                .fairKey("another")
                .after(ofMinutes(1))
                .id();
        JobId none = tester.operations()
                .schedule("render")
                .with(Collections.singletonMap("tenant", null))
                .after(ofMinutes(1))
                .id();

        assertThat(tester.operations().find(byRule).orElseThrow().fairKey()).isEqualTo("acme");
        assertThat(tester.operations().find(stated).orElseThrow().fairKey()).isEqualTo("another");
        assertThat(tester.operations().find(none).orElseThrow().fairKey()).isNull();
    }

    @Test
    void invalidFairKey_isRefusedAtTheCall() {
        DelayJobTester tester = DelayJobTester.create();
        tester.register(Handler.named("plain").calls((arguments, job) -> null));

        assertThatIllegalArgumentException()
                .isThrownBy(() -> tester.operations().schedule("plain").fairKey("x".repeat(101)))
                .withMessageContaining("Invalid fair key 'xxx")
                .withMessageContaining("must have 1 to 100 characters");
        assertThatIllegalArgumentException()
                .isThrownBy(() -> tester.operations().schedule("plain").fairKey(new Object()))
                .withMessageContaining("Invalid fair key 'java.lang.Object")
                .withMessageContaining("must have a text form");
        assertThatIllegalArgumentException()
                .isThrownBy(() -> tester.operations().schedule("plain").fairKey(null))
                .withMessageContaining(
                        "Invalid fair key null for job 'plain': must be a value that identifies the tenant that the job is for.");
    }

    // ---- helpers

    private Cluster.Member join(String name) {
        JobListener listener = new JobListener() {
            @Override
            public void preloaded(String role, int rows, Duration took) {
                reads.add(role);
            }
        };
        Cluster.Member member = cluster.join(name, cluster.memory, UnaryOperator.identity(), listener);
        member.tester().register(rules.calls((arguments, job) -> {
            attempts.add(new Attempt(job.id(), job(job.id()).fairKey(), now()));
            CompletableFuture<Object> end = new CompletableFuture<>();
            member.process().schedule(takes.toNanos(), () -> end.complete(null));
            return end;
        }));
        return member;
    }

    /** Adds an instance that only schedules, so that the others find its jobs in the table. */
    private Cluster.Member outside() {
        UnaryOperator<EngineSettings.Builder> noWorker = settings -> settings.worker(false);
        return cluster.join("outside", cluster.memory, noWorker);
    }

    private List<JobId> schedule(Cluster.Member member, String fairKey, int count) {
        List<JobId> ids = new ArrayList<>();
        for (int i = 0; i < count; i++) {
            ScheduleSpec job = member.tester().operations().schedule("render").fairKey(fairKey);
            ids.add((mutexIsFairKey ? job.mutex(fairKey) : job).now().id());
        }
        return ids;
    }

    private Duration latenessOf(Cluster.Member member, String fairKey) {
        JobId id = schedule(member, fairKey, 1).get(0);
        Instant scheduled = now();
        for (int i = 0; i < 100 && find(id) == null; i++) {
            cluster.time.advance(ofMillis(100));
        }
        return Duration.between(scheduled, attemptOf(id).at());
    }

    private Attempt find(JobId id) {
        return attempts.stream()
                .filter(attempt -> attempt.id().equals(id))
                .findFirst()
                .orElse(null);
    }

    private Attempt attemptOf(JobId id) {
        return Objects.requireNonNull(find(id), "it has not started");
    }

    private long starts(String fairKey) {
        return attempts.stream()
                .filter(attempt -> fairKey.equals(attempt.fairKey()))
                .count();
    }

    private void assertEachStartedOnce() {
        assertThat(attempts).extracting(Attempt::id).doesNotHaveDuplicates();
    }

    private Job job(JobId id) {
        return cluster.memory.find(id).orElseThrow();
    }

    private Instant now() {
        return cluster.time.clock().storeTime();
    }
}
