package io.delayjob.test;

import static java.time.Duration.ofMillis;
import static java.time.Duration.ofMinutes;
import static java.time.Duration.ofSeconds;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;

import io.delayjob.handler.Handler;
import io.delayjob.handler.Next;
import io.delayjob.handler.PayloadParameter;
import io.delayjob.job.DueRow;
import io.delayjob.job.Job;
import io.delayjob.job.JobId;
import io.delayjob.job.JobState;
import io.delayjob.job.OnExisting;
import io.delayjob.job.Partition;
import io.delayjob.schedule.Repeat;
import io.delayjob.schedule.RetryPolicy;
import io.delayjob.settings.EngineSettings;
import io.delayjob.settings.QueueSettings;
import io.delayjob.store.DuePage;
import io.delayjob.store.JobQuery;
import io.delayjob.store.PartitionCursor;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Collection;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.function.UnaryOperator;
import org.junit.jupiter.api.Test;

/** Mutexes in a cluster, with the settings of production. */
class MutexInVirtualTimeTest {

    private static final Duration ALL_LEAD = ofSeconds(30);

    /** An attempt at a job with a mutex. */
    private record Attempt(JobId id, String mutex, Cluster.Member member, Instant at) {}

    private final Cluster cluster = new Cluster();
    private final List<Attempt> attempts = new ArrayList<>();
    private final Map<String, Attempt> holders = new HashMap<>();
    private final List<String> overlaps = new ArrayList<>();
    private Duration takes = ofMillis(200);

    // ---- the promise

    @Test
    void threeInstances_ofWhichOneDiesAndOneIsPaused_neverRunTwoJobsOfOneMutex() {
        // A pause is longer than a lease, and shorter than the liveness.
        UnaryOperator<EngineSettings.Builder> shortLeases = settings -> settings.leaseDuration(ofSeconds(3));
        List<Cluster.Member> members = List.of(join("a", shortLeases), join("b", shortLeases), join("c", shortLeases));
        cluster.time.advance(ALL_LEAD);

        List<JobId> ids = new ArrayList<>();
        for (int i = 0; i < 600; i++) {
            ids.add(schedule(members.get(i % 3), "account-" + i % 6, ofMillis(20L * i)));
        }
        cluster.time.advance(ofSeconds(5));
        members.get(2).process().kill();
        cluster.time.advance(ofSeconds(10));
        members.get(1).process().pause();
        cluster.time.advance(ofSeconds(6));
        members.get(1).process().resume();
        join("d", shortLeases);
        cluster.time.advance(ofMinutes(5));

        assertThat(overlaps).isEmpty();
        assertThat(ids).allSatisfy(id -> assertThat(job(id).state()).isEqualTo(JobState.FINISHED));
    }

    @Test
    void jobThatRunsWhileItsPartitionChangesHands_keepsItsMutex() {
        Cluster.Member first = join("a");
        cluster.time.advance(ALL_LEAD);
        takes = ofSeconds(90);
        for (int i = 0; i < 16; i++) {
            schedule(first, "account-" + i, Duration.ZERO);
        }
        cluster.time.advance(ofSeconds(1));
        assertThat(holders).hasSize(16);

        Cluster.Member second = join("b");
        cluster.time.advance(ALL_LEAD);
        assertThat(second.led()).isEqualTo(4);
        takes = ofMillis(100);
        for (int i = 0; i < 16; i++) {
            schedule(second, "account-" + i, Duration.ZERO);
        }
        cluster.time.advance(ofSeconds(40));
        assertThat(attempts).as("all mutexes are taken").hasSize(16);
        cluster.time.advance(ofSeconds(23));

        assertThat(overlaps).isEmpty();
        assertThat(attempts).as("one look later").hasSize(32);
        assertThat(attempts.subList(16, 32)).extracting(Attempt::member).contains(first, second);
    }

    @Test
    void mutexOfADeadInstance_isFreeOnceItsJobIsRescued() {
        Cluster.Member doomed = join("a");
        join("b");
        cluster.time.advance(ALL_LEAD);
        String mutex = mutexDecidedBy(doomed);
        takes = ofMinutes(10);
        JobId lost = schedule(doomed, mutex, Duration.ZERO);
        cluster.time.advance(ofSeconds(1));
        JobId next = schedule(doomed, mutex, Duration.ZERO);
        takes = ofMillis(100);

        doomed.process().kill();
        cluster.time.advance(ofSeconds(40));

        assertThat(overlaps).isEmpty();
        assertThat(List.of(lost, next))
                .allSatisfy(id -> assertThat(job(id).state()).isEqualTo(JobState.FINISHED));
    }

    // ---- others are not held up

    @Test
    void jobsOfABusyMutex_takeNoSlot_andCostNoClaim() {
        List<DueRow> asked = new ArrayList<>();
        ForwardingStore counting = new ForwardingStore(cluster.memory) {
            @Override
            public List<Job> claim(List<DueRow> rows, long owner, long freshToken, Instant now) {
                asked.addAll(rows);
                return super.claim(rows, owner, freshToken, now);
            }
        };
        Cluster.Member member =
                cluster.join("a", counting, settings -> settings.queues(Map.of("default", new QueueSettings(2, true))));
        member.tester().register(work(member, Handler.named("work")));
        cluster.time.advance(ALL_LEAD);
        takes = ofMinutes(2);
        for (int i = 0; i < 500; i++) {
            schedule(member, "busy", Duration.ZERO);
        }
        cluster.time.advance(ofSeconds(1));
        assertThat(asked).hasSize(1);

        takes = ofMillis(10);
        JobId other = schedule(member, "free", Duration.ZERO);
        JobId without = member.tester().operations().schedule("work").now().id();
        cluster.time.advance(ofMinutes(1));

        assertThat(asked).extracting(DueRow::id).hasSize(3).contains(other, without);
        assertThat(job(other).state()).isEqualTo(JobState.FINISHED);
        assertThat(job(without).state()).isEqualTo(JobState.FINISHED);
        assertThat(member.tester().engine().status().busyMutexes())
                .singleElement()
                .satisfies(busy -> {
                    assertThat(busy.mutex()).isEqualTo("busy");
                    assertThat(busy.holder()).isEqualTo(attempts.get(0).id());
                    assertThat(busy.waiting()).isEqualTo(499);
                });
    }

    @Test
    void jobThatItsLeaderSchedules_startsAtOnce_andAnother_withinASweep() {
        Cluster.Member leader = join("a");
        Cluster.Member other = join("b");
        cluster.time.advance(ALL_LEAD);
        String mutex = mutexDecidedBy(leader);

        Instant now = cluster.time.clock().storeTime();
        schedule(leader, mutex, Duration.ZERO);
        cluster.time.advance(ofSeconds(10));
        Instant later = cluster.time.clock().storeTime();
        schedule(other, mutex, Duration.ZERO);
        cluster.time.advance(ofSeconds(10));

        assertThat(attempts).extracting(Attempt::member).containsExactly(leader, leader);
        assertThat(attempts.get(0).at()).isBetween(now, now.plusMillis(60));
        assertThat(attempts.get(1).at()).isBetween(later, later.plusMillis(2_500));
    }

    @Test
    void jobInAnotherPartition_isAdoptedByTheInstanceThatDecides() {
        Cluster.Member a = join("a");
        Cluster.Member b = join("b");
        cluster.time.advance(ALL_LEAD);
        String mutex = mutexDecidedBy(a);
        JobId id = a.tester()
                .operations()
                .schedule("work")
                .key("k")
                .mutex(mutex)
                .after(ofMinutes(1))
                .id();
        for (int i = 0; i < 20; i++) {
            // A later call that states no mutex moves the row to any partition, but leaves its mutex.
            b.tester()
                    .operations()
                    .schedule("work")
                    .key("k", OnExisting.POSTPONE)
                    .after(ofMillis(i));
            cluster.time.advance(ofSeconds(12));
            assertThat(job(id).state()).isEqualTo(JobState.FINISHED);
            id = a.tester()
                    .operations()
                    .schedule("work")
                    .key("k")
                    .mutex(mutex)
                    .after(ofMinutes(1))
                    .id();
        }
        assertThat(attempts)
                .hasSize(20)
                .allSatisfy(attempt -> assertThat(attempt.member()).isEqualTo(a));
    }

    @Test
    void mutexWithALongBacklog_isWorkedOffWithoutAPause() {
        Cluster.Member member = join("a");
        cluster.time.advance(ALL_LEAD);
        takes = ofMillis(1);
        Instant begin = cluster.time.clock().storeTime();
        for (int i = 0; i < 4_000; i++) {
            schedule(member, "hot", Duration.ZERO);
        }
        while (attempts.size() < 4_000) {
            cluster.time.advance(ofMillis(100));
            assertThat(cluster.time.clock().storeTime()).isBefore(begin.plusSeconds(60));
        }
        assertThat(overlaps).isEmpty();
    }

    @Test
    void longBacklogOfABusyMutex_costsFewReads_andHidesNoOtherMutex() {
        AtomicInteger reads = new AtomicInteger();
        ForwardingStore counting = new ForwardingStore(cluster.memory) {
            @Override
            public DuePage<DueRow> overdue(
                    Collection<PartitionCursor> cursors, Instant until, Set<String> names, int limit, int lookAt) {
                reads.incrementAndGet();
                return super.overdue(cursors, until, names, limit, lookAt);
            }
        };
        Cluster.Member member = cluster.join("a", counting, settings -> settings.maxJobs(1_000));
        member.tester().register(work(member, Handler.named("work")));
        Cluster.Member scheduler = cluster.join("b", cluster.memory, settings -> settings.worker(false));
        cluster.time.advance(ALL_LEAD);
        takes = ofMinutes(10);
        schedule(scheduler, "busy", Duration.ZERO);
        cluster.time.advance(ofSeconds(3));
        assertThat(attempts).hasSize(1);
        takes = ofMillis(10);
        for (int i = 0; i < 20_000; i++) {
            schedule(scheduler, "busy", Duration.ZERO);
        }
        cluster.time.advance(ofSeconds(1));
        JobId other = schedule(scheduler, sameHomeAs("busy"), Duration.ZERO);
        cluster.time.advance(ofSeconds(30));
        assertThat(job(other).state()).isEqualTo(JobState.FINISHED);

        reads.set(0);
        cluster.time.advance(ofMinutes(1));

        assertThat(reads.get()).isBetween(60, 6 * 60);
    }

    private static String sameHomeAs(String mutex) {
        Partition home = Partition.ofKey("default", mutex, 8);
        int i = 0;
        while (!Partition.ofKey("default", "other-" + i, 8).equals(home)) {
            i++;
        }
        return "other-" + i;
    }

    // ---- what a mutex belongs to

    @Test
    void mutex_isGivenByTheHandler_unlessTheCallStatesAnother() {
        DelayJobTester tester = DelayJobTester.create();
        tester.register(Handler.named("charge")
                .parameters(new PayloadParameter("account", Long.class))
                .mutex(arguments -> "account-" + arguments.get(0))
                .calls((arguments, job) -> null));

        JobId byRule = tester.operations()
                .schedule("charge")
                .with(Map.of("account", 7L))
                .after(ofMinutes(1))
                .id();
        JobId inOrder = tester.operations()
                .schedule("charge")
                .with(List.of(8L))
                .after(ofMinutes(1))
                .id();
        JobId stated = tester.operations()
                .schedule("charge")
                .with(Map.of("account", 7L))
                .mutex("another")
                .after(ofMinutes(1))
                .id();

        assertThat(tester.operations().find(byRule).orElseThrow().mutex()).isEqualTo("account-7");
        assertThat(tester.operations().find(inOrder).orElseThrow().mutex()).isEqualTo("account-8");
        assertThat(tester.operations().find(stated).orElseThrow().mutex()).isEqualTo("another");
        assertThat(tester.operations().find(byRule).orElseThrow().partition())
                .isEqualTo(Partition.ofKey("default", "account-7", 8));
    }

    @Test
    void mutex_ofAHandlerThatStartsByItself_isThatOfItsRule() {
        DelayJobTester tester = DelayJobTester.create();
        tester.register(Handler.named("nightly").mutex(arguments -> "books").calls((arguments, job) -> null));

        tester.engine().declare("nightly", Repeat.every(ofMinutes(5)));

        assertThat(tester.operations().find(JobQuery.all()).jobs().get(0).mutex())
                .isEqualTo("books");
    }

    @Test
    void invalidMutex_isRefusedAtTheCall() {
        DelayJobTester tester = DelayJobTester.create();
        tester.register(Handler.named("plain").calls((arguments, job) -> null));
        tester.register(Handler.named("nothing").mutex(arguments -> null).calls((arguments, job) -> null));

        assertThatIllegalArgumentException()
                .isThrownBy(() -> tester.operations().schedule("plain").mutex("x".repeat(101)))
                .withMessageContaining("Invalid mutex 'xxx")
                .withMessageContaining("must have 1 to 100 characters");
        assertThatIllegalArgumentException()
                .isThrownBy(() -> tester.operations().schedule("plain").mutex(new Object()))
                .withMessageContaining("must have a text form");
        assertThatIllegalArgumentException()
                .isThrownBy(() -> tester.operations().schedule("nothing").now())
                .withMessageContaining("Invalid mutex null for job 'nothing'");
        assertThatIllegalArgumentException()
                .isThrownBy(() -> tester.operations().schedule("plain").then("nothing"))
                .withMessageContaining("must not follow another job, because its handler states a mutex");
    }

    @Test
    void jobBetweenItsAttempts_doesNotHoldItsMutex() {
        Cluster.Member member = join("a");
        member.tester()
                .register(Handler.named("flaky")
                        .retry(RetryPolicy.gaps(ofSeconds(30)))
                        .calls((arguments, job) -> {
                            if (job.attempt() == 1) {
                                throw new IllegalStateException("bad luck");
                            }
                            return null;
                        }));
        member.tester()
                .register(Handler.named("asking")
                        .calls((arguments, job) -> job.attempt() == 1 ? Next.awaitAnswer(ofSeconds(30)) : null));
        cluster.time.advance(ALL_LEAD);
        member.tester().operations().schedule("flaky").mutex("m").now();
        member.tester().operations().schedule("asking").mutex("m").now();

        JobId next = schedule(member, "m", Duration.ZERO);
        cluster.time.advance(ofSeconds(2));

        assertThat(job(next).state()).isEqualTo(JobState.FINISHED);
    }

    // ---- helpers

    private Cluster.Member join(String name) {
        return join(name, UnaryOperator.identity());
    }

    private Cluster.Member join(String name, UnaryOperator<EngineSettings.Builder> settings) {
        Cluster.Member member = cluster.join(name, cluster.memory, settings);
        member.tester().register(work(member, Handler.named("work")));
        return member;
    }

    private Handler work(Cluster.Member member, Handler.Builder rules) {
        return rules.calls((arguments, job) -> {
            String mutex = job(job.id()).mutex();
            Attempt attempt =
                    new Attempt(job.id(), mutex, member, cluster.time.clock().storeTime());
            if (mutex != null) {
                attempts.add(attempt);
                Attempt other = holders.put(mutex, attempt);
                if (other != null && !other.member().process().isKilled()) {
                    overlaps.add(attempt + " while " + other);
                }
            }
            CompletableFuture<Object> end = new CompletableFuture<>();
            member.process().schedule(takes.toNanos(), () -> {
                holders.remove(String.valueOf(mutex), attempt);
                end.complete(null);
            });
            return end;
        });
    }

    private JobId schedule(Cluster.Member member, String mutex, Duration delay) {
        return member.tester()
                .operations()
                .schedule("work")
                .mutex(mutex)
                .after(delay)
                .id();
    }

    private String mutexDecidedBy(Cluster.Member member) {
        List<Partition> led = member.tester().engine().status().led();
        int i = 0;
        while (!led.contains(Partition.ofKey("default", "account-" + i, 8))) {
            i++;
        }
        return "account-" + i;
    }

    private Job job(JobId id) {
        return cluster.memory.find(id).orElseThrow();
    }
}
