package io.delayjob.test;

import static java.time.Duration.ofMillis;
import static java.time.Duration.ofMinutes;
import static java.time.Duration.ofSeconds;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;

import io.delayjob.handler.ConcurrencyScope;
import io.delayjob.handler.Handler;
import io.delayjob.job.DueRow;
import io.delayjob.job.Job;
import io.delayjob.job.JobId;
import io.delayjob.job.JobState;
import io.delayjob.settings.EngineSettings;
import io.delayjob.settings.QueueSettings;
import io.delayjob.status.ClusterSlots;
import io.delayjob.store.ClaimedRow;
import io.delayjob.store.DuePage;
import io.delayjob.store.PartitionCursor;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Collection;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.function.UnaryOperator;
import org.junit.jupiter.api.Test;

/** Handlers whose concurrency counts in the whole cluster, with the settings of production. */
class ClusterConcurrencyInVirtualTimeTest {

    private static final Duration ALL_LEAD = ofSeconds(30);

    private record Attempt(JobId id, Cluster.Member member, Instant at) {}

    private final Cluster cluster = new Cluster();
    private final List<Attempt> attempts = new ArrayList<>();
    private final List<Attempt> running = new ArrayList<>();
    private int limit = 5;
    private int most;
    private Duration takes = ofMillis(200);

    // ---- the promise

    @Test
    void threeInstances_ofWhichOneDiesAndOneIsPaused_neverRunMoreThanTheLimit() {
        // A pause is longer than a lease, and shorter than the liveness.
        UnaryOperator<EngineSettings.Builder> shortLeases = settings -> settings.leaseDuration(ofSeconds(3));
        List<Cluster.Member> members = List.of(join("a", shortLeases), join("b", shortLeases), join("c", shortLeases));
        cluster.time.advance(ALL_LEAD);

        List<JobId> ids = new ArrayList<>();
        for (int i = 0; i < 600; i++) {
            ids.add(schedule(members.get(i % 3), ofMillis(20L * i)));
        }
        cluster.time.advance(ofSeconds(5));
        takes = ofSeconds(4);
        cluster.time.advance(ofSeconds(1));
        takes = ofMillis(200);
        members.get(2).process().kill();
        cluster.time.advance(ofSeconds(10));
        members.get(1).process().pause();
        cluster.time.advance(ofSeconds(6));
        members.get(1).process().resume();
        join("d", shortLeases);
        cluster.time.advance(ofMinutes(5));

        assertThat(most).isEqualTo(limit);
        assertThat(ids).allSatisfy(id -> assertThat(job(id).state()).isEqualTo(JobState.FINISHED));
    }

    @Test
    void attemptsThatRunWhileLeasesChangeHands_keepTheirSlots() {
        limit = 8;
        Cluster.Member first = join("a");
        cluster.time.advance(ALL_LEAD);
        takes = ofSeconds(90);
        schedule(first, 8);
        cluster.time.advance(ofSeconds(1));
        assertThat(running).hasSize(8);

        Cluster.Member second = join("b");
        cluster.time.advance(ALL_LEAD);
        assertThat(second.led()).isEqualTo(4);
        takes = ofMillis(100);
        schedule(first, 8);
        schedule(second, 8);
        cluster.time.advance(ofSeconds(40));
        assertThat(attempts).as("all slots are taken").hasSize(8);
        assertThat(slots(second)).isEqualTo(new ClusterSlots(8, 4, 4, 0));
        cluster.time.advance(ofSeconds(23));

        assertThat(most).isEqualTo(8);
        assertThat(attempts).as("one look later").hasSize(24);
        assertThat(attempts.subList(8, 24)).extracting(Attempt::member).contains(first, second);
        assertThat(slots(second)).isEqualTo(new ClusterSlots(8, 4, 0, 0));
    }

    @Test
    void longAttempt_blocksOneSlotOfTheNextLeader_andNoMore() {
        limit = 40;
        Cluster.Member first = join("a");
        cluster.time.advance(ALL_LEAD);
        takes = ofMinutes(30);
        schedule(first, Duration.ZERO);
        cluster.time.advance(ofSeconds(1));

        Cluster.Member second = join("b");
        cluster.time.advance(ALL_LEAD);
        takes = ofMillis(10);
        schedule(second, Duration.ZERO);
        cluster.time.advance(ofSeconds(1));

        assertThat(slots(second)).isEqualTo(new ClusterSlots(40, 20, 1, 0));
    }

    @Test
    void slotsOfADeadInstance_areFreeOnceItsJobsAreRescued() {
        limit = 2;
        Cluster.Member doomed = join("a");
        cluster.time.advance(ALL_LEAD);
        takes = ofMinutes(10);
        schedule(doomed, 2);
        cluster.time.advance(ofSeconds(1));
        takes = ofMillis(100);
        Cluster.Member other = join("b");
        JobId next = schedule(other, Duration.ZERO);
        assertThat(running).hasSize(2);

        doomed.process().kill();
        cluster.time.advance(ofSeconds(60));

        assertThat(most).isEqualTo(2);
        assertThat(attempts).hasSize(5);
        assertThat(job(next).state()).isEqualTo(JobState.FINISHED);
    }

    @Test
    void loweredLimit_ofADeployment_isKeptByTheNewInstances() {
        limit = 8;
        Cluster.Member before = join("a");
        cluster.time.advance(ALL_LEAD);
        limit = 4;
        Cluster.Member after = join("b");
        cluster.time.advance(ALL_LEAD);
        takes = ofMinutes(1);
        schedule(before, 10);
        schedule(after, 10);
        cluster.time.advance(ofSeconds(5));

        assertThat(running).filteredOn(attempt -> attempt.member() == before).hasSize(4);
        assertThat(slots(after).limit()).isEqualTo(4);
        assertThat(running)
                .filteredOn(attempt -> attempt.member() == after)
                .hasSize(slots(after).owned());
    }

    // ---- where jobs run

    @Test
    void singleSlot_isUsedByWhicheverInstanceHasIt_withoutADelay() {
        limit = 1;
        List<Cluster.Member> members = List.of(join("a"), join("b"), join("c"));
        cluster.time.advance(ALL_LEAD);
        takes = ofMillis(50);
        for (int i = 0; i < 30; i++) {
            schedule(members.get(i % 3), ofSeconds(20 + i));
        }
        Instant begin = cluster.time.clock().storeTime().plusSeconds(20);

        cluster.time.advance(ofMinutes(1));

        assertThat(most).isEqualTo(1);
        assertThat(attempts).hasSize(30);
        for (int i = 0; i < 30; i++) {
            assertThat(attempts.get(i).at())
                    .isBetween(begin.plusSeconds(i), begin.plusSeconds(i).plusMillis(30));
        }
        assertThat(attempts)
                .extracting(Attempt::member)
                .containsOnly(attempts.get(0).member());
    }

    @Test
    void jobsThatLieWhereNoSlotIs_areAdopted() {
        limit = 1;
        join("a");
        join("b");
        Cluster.Member without = cluster.join("c", cluster.memory, settings -> settings.worker(false));
        cluster.time.advance(ALL_LEAD);
        takes = ofMillis(50);
        List<JobId> ids = new ArrayList<>();
        for (int i = 0; i < 16; i++) {
            ids.add(without.tester().operations().schedule("work").now().id());
        }

        cluster.time.advance(ofSeconds(30));

        assertThat(most).isEqualTo(1);
        assertThat(ids).allSatisfy(id -> assertThat(job(id).state()).isEqualTo(JobState.FINISHED));
    }

    @Test
    void jobsInAnotherQueue_shareTheSlots() {
        limit = 3;
        UnaryOperator<EngineSettings.Builder> twoQueues = settings ->
                settings.queues(Map.of("default", new QueueSettings(16, true), "bulk", new QueueSettings(16, true)));
        List<Cluster.Member> members = List.of(join("a", twoQueues), join("b", twoQueues));
        cluster.time.advance(ALL_LEAD);
        for (int i = 0; i < 100; i++) {
            members.get(i % 2)
                    .tester()
                    .operations()
                    .schedule("work")
                    .queue(i % 3 == 0 ? "default" : "bulk")
                    .now();
        }

        cluster.time.advance(ofSeconds(20));

        assertThat(most).isEqualTo(3);
        assertThat(attempts).hasSize(100);
    }

    @Test
    void jobsThatAlsoHaveAMutex_keepBoth() {
        limit = 8;
        List<Cluster.Member> members = List.of(join("a"), join("b"), join("c"));
        cluster.time.advance(ALL_LEAD);
        List<JobId> ids = new ArrayList<>();
        for (int i = 0; i < 200; i++) {
            ids.add(members.get(i % 3)
                    .tester()
                    .operations()
                    .schedule("work")
                    .mutex("account-" + i % 20)
                    .now()
                    .id());
        }

        cluster.time.advance(ofMinutes(1));

        assertThat(most).isBetween(4, 8);
        assertThat(ids).allSatisfy(id -> assertThat(job(id).state()).isEqualTo(JobState.FINISHED));
    }

    @Test
    void mutexThatAnInstanceWithoutASlotMightDecideAbout_isRefusedAtTheCall() {
        limit = 7;
        Cluster.Member member = join("a");

        assertThatIllegalArgumentException()
                .isThrownBy(() -> member.tester()
                        .operations()
                        .schedule("work")
                        .mutex("account-7")
                        .now())
                .withMessage(
                        "Invalid mutex 'account-7' for job 'work' in queue 'default': its handler has a limit in the cluster, so this limit must be at least 8 (delayjob.partitions), and the queue must be the handler's own, 'default'. Raise the concurrency, or leave out the mutex or the scope.");
    }

    @Test
    void saturatedHandler_isWorkedOffWithAllSlots() {
        limit = 6;
        List<Cluster.Member> members = List.of(join("a"), join("b"), join("c"));
        cluster.time.advance(ALL_LEAD);
        takes = ofMillis(100);
        for (int i = 0; i < 1_200; i++) {
            schedule(members.get(i % 3), Duration.ZERO);
        }

        cluster.time.advance(ofSeconds(30));

        assertThat(most).isEqualTo(6);
        assertThat(attempts).as("of 1,200 in 20 s at best").hasSizeGreaterThan(1_150);
    }

    // ---- others are not held up

    @Test
    void waitingJobs_takeNoSlotOfTheQueue_andCostNoStatement() {
        limit = 1;
        List<DueRow> asked = new ArrayList<>();
        AtomicInteger reads = new AtomicInteger();
        ForwardingStore counting = new ForwardingStore(cluster.memory) {
            @Override
            public List<Job> claim(List<DueRow> rows, long owner, long freshToken, Instant now) {
                asked.addAll(rows);
                return super.claim(rows, owner, freshToken, now);
            }

            @Override
            public DuePage<ClaimedRow> claimedByOthers(
                    Collection<PartitionCursor> cursors, Instant until, Set<Long> known, int limit) {
                reads.incrementAndGet();
                return super.claimedByOthers(cursors, until, known, limit);
            }
        };
        Cluster.Member member =
                cluster.join("a", counting, settings -> settings.queues(Map.of("default", new QueueSettings(2, true))));
        member.tester().register(work(member));
        member.tester().register(Handler.named("other").calls((arguments, job) -> null));
        cluster.time.advance(ALL_LEAD);
        takes = ofMinutes(2);
        schedule(member, 500);
        cluster.time.advance(ofSeconds(5));
        assertThat(asked).hasSize(1);
        reads.set(0);

        for (int i = 0; i < 10; i++) {
            member.tester().operations().schedule("other").now();
            cluster.time.advance(ofSeconds(5));
        }

        assertThat(asked).hasSize(11);
        assertThat(reads.get()).as("looks for lost attempts").isLessThan(10);
        assertThat(slots(member)).isEqualTo(new ClusterSlots(1, 1, 0, 1));
    }

    @Test
    void tester_keepsTheLimit() {
        DelayJobTester tester = DelayJobTester.create();
        AtomicInteger now = new AtomicInteger();
        AtomicInteger atMost = new AtomicInteger();
        List<CompletableFuture<Object>> ends = new ArrayList<>();
        tester.register(Handler.named("work")
                .concurrency(2)
                .scope(ConcurrencyScope.CLUSTER)
                .calls((arguments, job) -> {
                    atMost.accumulateAndGet(now.incrementAndGet(), Math::max);
                    CompletableFuture<Object> end = new CompletableFuture<>();
                    tester.operations().schedule("end").after(ofSeconds(1));
                    ends.add(end);
                    return end;
                }));
        tester.register(Handler.named("end").calls((arguments, job) -> {
            now.decrementAndGet();
            ends.remove(0).complete(null);
            return null;
        }));
        for (int i = 0; i < 6; i++) {
            tester.operations().schedule("work").now();
        }

        tester.advance(ofMinutes(1));

        assertThat(atMost).hasValue(2);
        assertThat(ends).isEmpty();
    }

    // ---- helpers

    private Cluster.Member join(String name) {
        return join(name, UnaryOperator.identity());
    }

    private Cluster.Member join(String name, UnaryOperator<EngineSettings.Builder> settings) {
        Cluster.Member member = cluster.join(name, cluster.memory, settings);
        member.tester().register(work(member));
        return member;
    }

    private Handler work(Cluster.Member member) {
        return Handler.named("work")
                .concurrency(limit)
                .scope(ConcurrencyScope.CLUSTER)
                .calls((arguments, job) -> {
                    Attempt attempt =
                            new Attempt(job.id(), member, cluster.time.clock().storeTime());
                    attempts.add(attempt);
                    running.removeIf(other -> other.member().process().isKilled());
                    running.add(attempt);
                    most = Math.max(most, running.size());
                    CompletableFuture<Object> end = new CompletableFuture<>();
                    member.process().schedule(takes.toNanos(), () -> {
                        running.remove(attempt);
                        end.complete(null);
                    });
                    return end;
                });
    }

    private void schedule(Cluster.Member member, int count) {
        for (int i = 0; i < count; i++) {
            schedule(member, Duration.ZERO);
        }
    }

    private JobId schedule(Cluster.Member member, Duration delay) {
        return member.tester().operations().schedule("work").after(delay).id();
    }

    private static ClusterSlots slots(Cluster.Member member) {
        return member.tester().engine().status().clusterSlots().get("work");
    }

    private Job job(JobId id) {
        return cluster.memory.find(id).orElseThrow();
    }
}
