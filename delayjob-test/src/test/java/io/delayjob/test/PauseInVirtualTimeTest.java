package io.delayjob.test;

import static java.time.Duration.ofDays;
import static java.time.Duration.ofHours;
import static java.time.Duration.ofMillis;
import static java.time.Duration.ofMinutes;
import static java.time.Duration.ofSeconds;
import static org.assertj.core.api.Assertions.assertThat;

import io.delayjob.handler.Handler;
import io.delayjob.job.DueRow;
import io.delayjob.job.Job;
import io.delayjob.job.JobId;
import io.delayjob.job.JobState;
import io.delayjob.job.Partition;
import io.delayjob.job.PauseNote;
import io.delayjob.job.Paused;
import io.delayjob.schedule.Repeat;
import io.delayjob.store.ClusterView;
import io.delayjob.store.DuePage;
import io.delayjob.store.InstanceStore;
import io.delayjob.store.JobStore;
import io.delayjob.store.PartitionCursor;
import io.delayjob.store.StoreException;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Collection;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicReference;
import java.util.function.BooleanSupplier;
import java.util.function.UnaryOperator;
import org.junit.jupiter.api.Test;

/** Tests how handlers and queues are paused and resumed, in a cluster with the default settings. */
class PauseInVirtualTimeTest {

    private static final Duration HEARTBEAT = ofSeconds(2);

    /**
     * Maximum time until jobs run after a resumption: until the instance reads of it, until its next sweep, and the
     * sweep itself.
     */
    private static final Duration RESUMED_WITHIN = HEARTBEAT.plus(ofSeconds(1)).plusMillis(50);

    private final Cluster cluster = new Cluster();
    private final Calls calls = new Calls(cluster.time);
    private final Calls others = new Calls(cluster.time);
    private final List<CompletableFuture<Object>> underWay = new ArrayList<>();

    @Test
    void pausedHandler_startsNothingAnywhereUntilItIsResumed() {
        Cluster.Member first = member("a");
        Cluster.Member second = member("b");
        cluster.time.advance(ofSeconds(30));
        List<JobId> ids = schedule(first, "mail", 200, ofMillis(50));

        assertThat(first.tester().operations().pause("mail")).isTrue();
        cluster.time.advance(HEARTBEAT);
        int startedBefore = calls.count();
        cluster.time.advance(ofHours(1));

        assertThat(calls.count()).isEqualTo(startedBefore).isLessThan(ids.size());
        assertThat(first.tester().engine().status().ready()).isZero();
        assertThat(first.tester().engine().status().waiting()).isZero();
        assertThat(second.tester().engine().status().waiting()).isZero();
        assertThat(second.tester().engine().status().paused()).isEqualTo(Paused.handlers(Set.of("mail")));

        assertThat(second.tester().operations().resume("mail")).isTrue();
        cluster.time.advance(RESUMED_WITHIN);

        assertThat(calls.all())
                .extracting(Calls.Call::id)
                .doesNotHaveDuplicates()
                .containsExactlyInAnyOrderElementsOf(ids);
        assertThat(calls.all())
                .as("claimed once only: whatever was paused was never claimed")
                .allSatisfy(call -> assertThat(call.attempt()).isEqualTo(1));
    }

    @Test
    void pause_holdsOnTheCallingInstanceFromItsReturnOn_evenIfItCannotReadThePauses() {
        AtomicBoolean deaf = new AtomicBoolean();
        Cluster.Member asked = member("a", deafAtTimes(cluster.memory, deaf::get));
        cluster.time.advance(ofSeconds(30));
        schedule(asked, "mail", 200, ofMillis(50));
        cluster.time.advance(ofSeconds(2));
        deaf.set(true);

        asked.tester().operations().pause("mail");
        int startedBefore = calls.count();
        cluster.time.advance(ofSeconds(5));

        assertThat(calls.count()).isEqualTo(startedBefore).isPositive();
        deaf.set(false);
        cluster.time.advance(ofSeconds(5));
        asked.tester().operations().resume("mail");
        cluster.time.advance(ofSeconds(10));
        assertThat(calls.count()).isEqualTo(200);
    }

    @Test
    void pauseWhileAClaimIsUnderWay_startsNoJobOfTheClaim() {
        AtomicReference<Runnable> afterClaim = new AtomicReference<>(() -> {});
        JobStore store = new ForwardingStore(cluster.memory) {
            @Override
            public List<Job> claim(List<DueRow> rows, long owner, long freshToken, Instant now) {
                List<Job> jobs = target.claim(rows, owner, freshToken, now);
                afterClaim.getAndSet(() -> {}).run();
                return jobs;
            }
        };
        Cluster.Member asked = member("a", store);
        cluster.time.advance(ofSeconds(30));
        afterClaim.set(() -> asked.tester().operations().pause("mail"));
        schedule(asked, "mail", 10, ofMillis(5));

        cluster.time.advance(ofSeconds(10));

        assertThat(calls.count()).isZero();
        assertThat(cluster.memory.counts(cluster.time.clock().storeTime()).in(JobState.RUNNING))
                .as("what was claimed is released")
                .isZero();
    }

    @Test
    void instanceThatCannotReadTheNotice_startsNothingAfterFourFifthsOfItsLiveness() {
        AtomicBoolean deaf = new AtomicBoolean();
        Cluster.Member deafOne = member("b", deafAtTimes(cluster.memory, deaf::get));
        cluster.time.advance(ofSeconds(30));
        schedule(deafOne, "mail", 1_000, ofMillis(100));
        deaf.set(true);
        cluster.memory.pause(
                Paused.handlers(Set.of("mail")),
                new PauseNote(cluster.time.clock().storeTime(), null, null),
                () -> {});

        cluster.time.advance(ofSeconds(8));
        int startedBefore = calls.count();
        cluster.time.advance(ofMinutes(1));

        assertThat(calls.count()).isEqualTo(startedBefore).isPositive();
    }

    @Test
    void instanceThatCannotReadThePauses_isListedUntilItHasReadThem() {
        AtomicBoolean deaf = new AtomicBoolean();
        Cluster.Member asked = member("a");
        member("b", deafAtTimes(cluster.memory, deaf::get));
        member("c");
        cluster.time.advance(ofSeconds(30));
        assertThat(asked.tester().engine().notHeardOfPauses()).isEmpty();
        deaf.set(true);

        asked.tester().operations().pause("mail");
        assertThat(asked.tester().engine().notHeardOfPauses())
                .as("at its answer: nobody else has had the time")
                .containsExactly("b", "c");
        cluster.time.advance(HEARTBEAT);
        assertThat(asked.tester().engine().notHeardOfPauses()).containsExactly("b");

        deaf.set(false);
        cluster.time.advance(HEARTBEAT);
        assertThat(asked.tester().engine().notHeardOfPauses()).isEmpty();
        asked.tester().operations().resume("mail");
        assertThat(asked.tester().engine().notHeardOfPauses()).contains("b", "c");
        cluster.time.advance(HEARTBEAT);
        assertThat(asked.tester().engine().notHeardOfPauses()).isEmpty();
    }

    private Cluster.Member member(String name, JobStore store) {
        Cluster.Member member = cluster.join(name, store, UnaryOperator.identity());
        member.tester().tolerateFailures();
        member.tester().register(calls.named("mail"));
        return member;
    }

    /** Returns a store whose pauses and register cannot be read when the test says so. */
    private static JobStore deafAtTimes(JobStore store, BooleanSupplier deaf) {
        InstanceStore register = new ForwardingInstances(store.instances()) {
            @Override
            public ClusterView look(long number) {
                if (deaf.getAsBoolean()) {
                    throw StoreException.unavailable("pretended", new IllegalStateException());
                }
                return target.look(number);
            }
        };
        return new ForwardingStore(store) {
            @Override
            public InstanceStore instances() {
                return register;
            }
        };
    }

    @Test
    void jobsBesideAPausedHandler_areOnTime() {
        Cluster.Member member = member("a");
        cluster.time.advance(ofSeconds(30));
        member.tester().operations().pause("mail");
        schedule(member, "mail", 2_000, Duration.ZERO);
        cluster.time.advance(ofSeconds(10));
        schedule(member, "sms", 100, ofMillis(200));

        cluster.time.advance(ofMinutes(1));

        assertThat(calls.count()).isZero();
        assertThat(others.count()).isEqualTo(100);
        assertThat(others.all()).allSatisfy(call -> assertThat(call.at()).isEqualTo(call.dueAt()));
    }

    @Test
    void pausedQueue_startsNothingOfAnyHandlerUntilItIsResumed() {
        Cluster.Member member = cluster.join("a");
        member.tester().register(calls.with(Handler.named("report").queue("bulk"), (arguments, job) -> null));
        member.tester().register(calls.with(Handler.named("export").queue("bulk"), (arguments, job) -> null));
        member.tester().register(others.named("sms"));
        cluster.time.advance(ofSeconds(30));

        assertThat(member.tester().operations().pauseQueue("bulk")).isTrue();
        cluster.time.advance(HEARTBEAT);
        schedule(member, "report", 50, ofMillis(100));
        schedule(member, "export", 50, ofMillis(100));
        schedule(member, "sms", 50, ofMillis(100));
        cluster.time.advance(ofSeconds(1));
        assertThat(member.tester().engine().status().waiting())
                .as("what is paused is not kept in the wheel")
                .isLessThanOrEqualTo(50);
        cluster.time.advance(ofMinutes(10));
        assertThat(calls.count()).isZero();
        assertThat(others.count()).isEqualTo(50);

        assertThat(member.tester().operations().resumeQueue("bulk")).isTrue();
        cluster.time.advance(RESUMED_WITHIN);
        assertThat(calls.count()).isEqualTo(100);
    }

    @Test
    void pause_removesTheRowsFromTheWheel() {
        Cluster.Member member = member("a");
        cluster.time.advance(ofSeconds(30));
        schedule(member, "mail", 10, ofMillis(800));
        assertThat(member.tester().engine().status().waiting()).isEqualTo(9);

        member.tester().operations().pause("mail");
        cluster.time.advance(ofMillis(1));

        assertThat(member.tester().engine().status().waiting()).isZero();
        assertThat(member.tester().engine().status().ready()).isZero();
    }

    @Test
    void resume_beforeAnythingWasDue_keepsEveryJobOnTime() {
        Cluster.Member member = member("a");
        cluster.time.advance(ofSeconds(30));
        schedule(member, "mail", 100, ofMillis(100));

        member.tester().operations().pause("mail");
        cluster.time.advance(Duration.ZERO);
        member.tester().operations().resume("mail");
        cluster.time.advance(ofMinutes(1));

        assertThat(calls.count()).isEqualTo(100);
        assertThat(calls.all())
                .allSatisfy(call ->
                        assertThat(Duration.between(call.dueAt(), call.at())).isLessThanOrEqualTo(ofMillis(50)));
    }

    @Test
    void attemptUnderWay_goesOnAndItsRetryWaits() {
        Cluster.Member member = cluster.join("a");
        member.tester().register(calls.with(Handler.named("slow"), (arguments, job) -> {
            underWay.add(new CompletableFuture<>());
            return underWay.get(underWay.size() - 1);
        }));
        cluster.time.advance(ofSeconds(30));
        JobId id = member.tester().operations().schedule("slow").now().id();
        cluster.time.advance(ofSeconds(1));

        member.tester().operations().pause("slow");
        cluster.time.advance(ofMinutes(1));
        assertThat(cluster.memory.find(id).orElseThrow().state()).isEqualTo(JobState.RUNNING);
        underWay.get(0).completeExceptionally(new IllegalStateException("mail server is away"));
        cluster.time.advance(ofDays(1));

        assertThat(calls.count()).isEqualTo(1);
        assertThat(cluster.memory.find(id).orElseThrow().failures()).isEqualTo(1);
        member.tester().operations().resume("slow");
        cluster.time.advance(RESUMED_WITHIN);
        assertThat(calls.count()).isEqualTo(2);
    }

    @Test
    void repeatingJob_afterALongPause_runsOnceForAllMissedRuns() {
        Cluster.Member member = member("a");
        cluster.time.advance(ofSeconds(30));
        member.tester().operations().schedule("mail").repeat(Repeat.every(ofMinutes(1)));

        member.tester().operations().pause("mail");
        cluster.time.advance(ofHours(1));
        member.tester().operations().resume("mail");
        cluster.time.advance(ofSeconds(10));

        assertThat(calls.count()).isEqualTo(1);
        assertThat(calls.all().get(0).run()).isEqualTo(60);
    }

    @Test
    void instanceThatJoinsLater_knowsWhatIsPaused() {
        member("a").tester().operations().pause("mail");
        Cluster.Member late = member("late");
        schedule(late, "mail", 10, Duration.ZERO);

        cluster.time.advance(ofHours(1));

        assertThat(calls.count()).isZero();
    }

    @Test
    void restart_changesNothingAboutAPause() {
        Cluster.Member before = member("a");
        cluster.time.advance(ofSeconds(30));
        before.tester().operations().pause("mail");
        schedule(before, "mail", 10, ofMillis(500));
        cluster.time.advance(ofSeconds(1));
        before.process().kill();

        Cluster.Member after = member("a2");
        cluster.time.advance(ofHours(1));
        assertThat(calls.count()).isLessThanOrEqualTo(2);
        assertThat(after.tester().operations().paused()).isEqualTo(Paused.handlers(Set.of("mail")));

        after.tester().operations().resume("mail");
        cluster.time.advance(RESUMED_WITHIN);
        assertThat(calls.count()).isEqualTo(10);
    }

    @Test
    void handlerThatWasRenamed_isPausedUnderEitherName() {
        Cluster.Member old = cluster.join("old");
        old.tester().register(calls.named("mail"));
        Cluster.Member fresh = cluster.join("fresh");
        fresh.tester()
                .register(calls.with(Handler.named("send-mail").formerNames(Set.of("mail")), (arguments, job) -> null));
        cluster.time.advance(ofSeconds(30));

        old.tester().operations().pause("mail");
        cluster.time.advance(HEARTBEAT);
        schedule(fresh, "send-mail", 10, Duration.ZERO);
        schedule(old, "mail", 10, Duration.ZERO);
        cluster.time.advance(ofMinutes(10));
        assertThat(calls.count()).isZero();

        fresh.tester().operations().resume("send-mail");
        cluster.time.advance(RESUMED_WITHIN);
        assertThat(calls.count()).isEqualTo(20);
    }

    @Test
    void pausedNamesAndQueues_areNotAskedFor() {
        List<Set<String>> names = new ArrayList<>();
        Set<String> queues = new HashSet<>();
        ForwardingStore watched = new ForwardingStore(cluster.memory) {
            @Override
            public DuePage<DueRow> dueAfter(Collection<PartitionCursor> cursors, Instant until, int limit) {
                note(cursors);
                return super.dueAfter(cursors, until, limit);
            }

            @Override
            public DuePage<DueRow> overdue(
                    Collection<PartitionCursor> cursors, Instant until, Set<String> wanted, int limit, int lookAt) {
                names.add(wanted);
                note(cursors);
                return super.overdue(cursors, until, wanted, limit, lookAt);
            }

            private void note(Collection<PartitionCursor> cursors) {
                cursors.forEach(cursor -> queues.add(cursor.partition().queue()));
            }
        };
        Cluster.Member member = cluster.join("a", watched, UnaryOperator.identity());
        member.tester().register(calls.named("mail"));
        member.tester().register(calls.with(Handler.named("report").queue("bulk"), (arguments, job) -> null));
        member.tester().register(others.named("sms"));
        // Without an overdue row, no sweep would read the table.
        StoreScenario rows = new StoreScenario(cluster.memory);
        for (String queue : List.of("default", "bulk")) {
            rows.submit(rows.job()
                    .name("nobody's")
                    .in(new Partition(queue, 0))
                    .at(cluster.time.clock().storeTime()));
        }
        cluster.time.advance(ofSeconds(30));
        assertThat(queues).containsExactlyInAnyOrder("default", "bulk");
        member.tester().operations().pause("mail");
        member.tester().operations().pauseQueue("bulk");
        schedule(member, "mail", 100, Duration.ZERO);
        schedule(member, "report", 100, Duration.ZERO);
        cluster.time.advance(HEARTBEAT);
        names.clear();
        queues.clear();

        cluster.time.advance(ofMinutes(1));

        assertThat(names).isNotEmpty().allSatisfy(asked -> assertThat(asked).doesNotContain("mail"));
        assertThat(queues).containsExactly("default");
        assertThat(calls.count()).isZero();
    }

    @Test
    void tester_ofAnApplication_followsThePauseAtOnce() {
        DelayJobTester tester = DelayJobTester.create();
        Calls its = new Calls(tester);
        tester.register(its.named("mail"));
        tester.runDue();
        tester.operations().schedule("mail").after(ofMinutes(5));

        tester.operations().pause("mail");
        tester.advance(ofMinutes(10));
        assertThat(its.count()).isZero();

        tester.operations().resume("mail");
        tester.runDue();
        assertThat(its.count()).isEqualTo(1);
    }

    private Cluster.Member member(String name) {
        Cluster.Member member = cluster.join(name);
        member.tester().register(calls.named("mail"));
        member.tester().register(others.named("sms"));
        return member;
    }

    /** Schedules jobs with this gap between them. The first job is due at once. */
    private static List<JobId> schedule(Cluster.Member member, String name, int count, Duration gap) {
        List<JobId> ids = new ArrayList<>();
        for (int i = 0; i < count; i++) {
            ids.add(member.tester()
                    .operations()
                    .schedule(name)
                    .after(gap.multipliedBy(i))
                    .id());
        }
        return ids;
    }
}
