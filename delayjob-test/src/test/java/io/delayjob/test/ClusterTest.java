package io.delayjob.test;

import static java.time.Duration.ofDays;
import static java.time.Duration.ofHours;
import static java.time.Duration.ofMillis;
import static java.time.Duration.ofMinutes;
import static java.time.Duration.ofSeconds;
import static org.assertj.core.api.Assertions.assertThat;

import io.delayjob.DelayJobOperations;
import io.delayjob.event.JobListener;
import io.delayjob.handler.Delivery;
import io.delayjob.handler.Handler;
import io.delayjob.handler.JobContext;
import io.delayjob.job.CancelResult;
import io.delayjob.job.Job;
import io.delayjob.job.JobId;
import io.delayjob.job.JobState;
import io.delayjob.schedule.Repeat;
import io.delayjob.schedule.RetryPolicy;
import io.delayjob.settings.QueueSettings;
import io.delayjob.store.JobStore;
import java.lang.reflect.Proxy;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Collection;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import java.util.function.UnaryOperator;
import org.junit.jupiter.api.Test;

/**
 * Tests several engines on one store, with the default settings: how they share the work, and what happens after a
 * crash.
 */
class ClusterTest {

    private final Cluster cluster = new Cluster();
    private final Calls calls = new Calls(cluster.time);
    private final Calls others = new Calls(cluster.time);

    @Test
    void partitions_areSharedOut() {
        Cluster.Member first = member("a");
        cluster.time.advance(ofSeconds(30));
        assertThat(first.led()).isEqualTo(8);

        Cluster.Member second = member("b");
        cluster.time.advance(ofMinutes(1));

        assertThat(first.led()).isEqualTo(4);
        assertThat(second.led()).isEqualTo(4);
    }

    @Test
    void eachJob_runsOnceWhoeverSubmitsIt() {
        Cluster.Member first = cluster.join("a");
        Cluster.Member second = cluster.join("b");
        first.tester().register(calls.named("job"));
        second.tester().register(others.named("job"));
        cluster.time.advance(ofSeconds(30));
        Set<JobId> submitted = new HashSet<>();
        for (int i = 0; i < 2_000; i++) {
            DelayJobTester tester = (i % 2 == 0 ? first : second).tester();
            submitted.add(
                    tester.operations().schedule("job").after(ofMillis(17L * i)).id());
        }

        cluster.time.advance(ofMinutes(2));

        List<JobId> ran =
                new ArrayList<>(calls.all().stream().map(Calls.Call::id).toList());
        assertThat(ran).isNotEmpty();
        assertThat(others.count()).isPositive();
        others.all().forEach(call -> ran.add(call.id()));
        assertThat(ran).doesNotHaveDuplicates().containsExactlyInAnyOrderElementsOf(submitted);
        assertThat(calls.all()).allSatisfy(call -> assertThat(call.at()).isEqualTo(call.dueAt()));
    }

    @Test
    void queueThatIsSwitchedOffHere_runsOnlyOnOtherInstances() {
        Cluster.Member off = cluster.join(
                "off", cluster.memory, settings -> settings.queues(Map.of("bulk", new QueueSettings(16, false))));
        Cluster.Member on = cluster.join("on");
        for (Cluster.Member member : List.of(off, on)) {
            Calls its = member == off ? calls : others;
            member.tester().register(its.with(Handler.named("report").queue("bulk"), (arguments, job) -> null));
            member.tester().register(its.named("mail"));
        }
        cluster.time.advance(ofSeconds(30));
        for (int i = 0; i < 500; i++) {
            off.tester().operations().schedule("report").after(ofMillis(17L * i));
        }

        cluster.time.advance(ofMinutes(1));

        assertThat(calls.count()).isZero();
        assertThat(others.count()).isEqualTo(500);
        assertThat(off.tester().engine().status().led())
                .noneMatch(partition -> partition.queue().equals("bulk"));
    }

    @Test
    void cancelByAnotherInstance_reachesTheHandlerWithinAHeartbeat() {
        List<JobContext> contexts = new ArrayList<>();
        List<CompletableFuture<Object>> stages = new ArrayList<>();
        Cluster.Member worker = cluster.join("worker");
        worker.tester().register(Handler.named("long").calls((arguments, job) -> {
            contexts.add(job);
            stages.add(new CompletableFuture<>());
            return stages.get(stages.size() - 1);
        }));
        Cluster.Member other = cluster.join("other");
        cluster.time.advance(ofSeconds(30));
        JobId cancelled = worker.tester().operations().schedule("long").now().id();
        JobId neighbour = worker.tester().operations().schedule("long").now().id();
        cluster.time.advance(ofSeconds(1));

        assertThat(other.tester().operations().cancel(cancelled)).isEqualTo(CancelResult.RUNNING);
        cluster.time.advance(ofSeconds(2));

        assertThat(contexts)
                .allSatisfy(context -> assertThat(context.isCancelRequested())
                        .isEqualTo(context.id().equals(cancelled)));
        assertThat(contexts)
                .allSatisfy(context -> assertThat(context.isInterrupted()).isFalse());
        stages.forEach(stage -> stage.completeExceptionally(new IllegalStateException("given up")));
        cluster.time.advance(ofSeconds(1));
        assertThat(cluster.memory.find(cancelled).orElseThrow().state()).isEqualTo(JobState.CANCELLED);
        assertThat(cluster.memory.find(neighbour).orElseThrow().state()).isEqualTo(JobState.DELAYED);
    }

    @Test
    void jobOfAnUnknownHandler_waitsAndBlocksNoOtherJob() {
        Cluster.Member member = cluster.join("a");
        member.tester().register(calls.named("known"));
        cluster.time.advance(ofSeconds(30));
        List<JobId> unknown = new ArrayList<>();
        for (int i = 0; i < 2_000; i++) {
            unknown.add(member.tester().operations().schedule("unknown").now().id());
        }
        for (int i = 0; i < 100; i++) {
            member.tester().operations().schedule("known").after(ofSeconds(i));
        }

        cluster.time.advance(ofHours(1));

        assertThat(calls.count()).isEqualTo(100);
        assertThat(calls.all()).allSatisfy(call -> assertThat(call.at()).isEqualTo(call.dueAt()));
        assertThat(unknown)
                .allSatisfy(id -> assertThat(cluster.memory.find(id)).get().satisfies(job -> {
                    assertThat(job.state()).isEqualTo(JobState.DELAYED);
                    assertThat(job.attempt()).as("never claimed").isZero();
                }));
    }

    @Test
    void jobOfAnUnknownHandler_runsWhenADeploymentAddsTheHandler() {
        Cluster.Member old = member("old");
        cluster.time.advance(ofSeconds(30));
        JobId id = old.tester().operations().schedule("new-feature").now().id();
        cluster.time.advance(ofDays(1));
        assertThat(cluster.memory.find(id)).get().extracting(Job::state).isEqualTo(JobState.DELAYED);

        Cluster.Member fresh = cluster.join("fresh");
        fresh.tester().register(others.named("new-feature"));
        cluster.time.advance(ofMinutes(1));

        assertThat(others.count()).isEqualTo(1);
    }

    @Test
    void crash_isSurvivedByRunningJobsWithinLivenessAndASecond() {
        Cluster.Member doomed = cluster.join("doomed");
        doomed.tester().register(calls.with(Handler.named("job"), (arguments, job) -> new CompletableFuture<>()));
        cluster.time.advance(ofSeconds(30));
        Cluster.Member heir = cluster.join("heir");
        cluster.time.advance(ofMinutes(1));
        JobId id = doomed.tester().operations().schedule("job").now().id();
        cluster.time.advance(ofSeconds(1));
        assertThat(calls.count()).isEqualTo(1);
        heir.tester().register(others.named("job"));

        doomed.process().kill();
        cluster.time.advance(ofSeconds(11));

        assertThat(others.count()).as("within liveness (10 s) and a second").isEqualTo(1);
        assertThat(others.all().get(0).attempt()).isEqualTo(2);
        assertThat(cluster.memory.find(id)).get().satisfies(job -> {
            assertThat(job.state()).isEqualTo(JobState.FINISHED);
            assertThat(job.inDoubt()).isEqualTo(1);
        });
    }

    @Test
    void crash_isSurvivedByWaitingJobsWithinLeaseAndSweep() {
        Cluster.Member doomed = member("doomed");
        cluster.time.advance(ofSeconds(30));
        Cluster.Member heir = cluster.join("heir");
        heir.tester().register(others.named("job"));
        cluster.time.advance(ofMinutes(1));
        List<JobId> ids = new ArrayList<>();
        for (int i = 0; i < 200; i++) {
            ids.add(doomed.tester()
                    .operations()
                    .schedule("job")
                    .after(ofSeconds(2).plusMillis(i * 100L))
                    .id());
        }

        doomed.process().kill();
        cluster.time.advance(ofMinutes(1));

        assertThat(calls.count()).isZero();
        assertThat(others.all()).extracting(Calls.Call::id).containsExactlyInAnyOrderElementsOf(ids);
        assertThat(others.all())
                .allSatisfy(call ->
                        assertThat(Duration.between(call.dueAt(), call.at())).isBetween(Duration.ZERO, ofSeconds(12)));
    }

    @Test
    void crash_leavesNoPartitionWithoutALeaderForLong() {
        Cluster.Member doomed = member("doomed");
        Cluster.Member heir = member("heir");
        cluster.time.advance(ofMinutes(1));

        doomed.process().kill();
        cluster.time.advance(ofSeconds(30));

        assertThat(heir.led()).isEqualTo(8);
    }

    @Test
    void stop_letsOthersContinueAtOnce() {
        Cluster.Member leaving = member("leaving");
        Cluster.Member staying = cluster.join("staying");
        staying.tester().register(others.named("job"));
        cluster.time.advance(ofMinutes(1));
        leaving.tester()
                .operations()
                .schedule("job")
                .repeat(Repeat.every(ofSeconds(1)).times(100));
        cluster.time.advance(ofSeconds(20));

        leaving.tester().engine().stop();
        cluster.time.advance(ofMinutes(5));

        assertThat(calls.count() + others.count()).isEqualTo(100);
        assertThat(cluster.memory.instances().list()).hasSize(1);
        assertThat(staying.led()).isEqualTo(8);
    }

    @Test
    void jobThatKillsItsProcess_isGivenUpAfterItsRetries() {
        int[] processes = {0};
        Cluster.Member current = deadly(processes);
        JobId id = current.tester()
                .operations()
                .schedule("deadly")
                .retry(RetryPolicy.gaps(ofSeconds(1), ofSeconds(1)))
                .now()
                .id();
        for (int i = 0; i < 10; i++) {
            cluster.time.advance(ofMinutes(1));
            deadly(processes);
        }
        cluster.time.advance(ofMinutes(1));

        assertThat(calls.count()).as("one attempt and two retries").isEqualTo(3);
        assertThat(cluster.memory.find(id)).get().satisfies(job -> {
            assertThat(job.state()).isEqualTo(JobState.FAILED);
            assertThat(job.failure().type()).isEqualTo("LostWithInstance");
        });
    }

    private Cluster.Member deadly(int[] processes) {
        VirtualProcess[] self = new VirtualProcess[1];
        Cluster.Member member = cluster.join("p" + processes[0]++);
        self[0] = member.process();
        member.tester().register(calls.with(Handler.named("deadly"), (arguments, job) -> {
            self[0].kill();
            return new CompletableFuture<>();
        }));
        return member;
    }

    @Test
    void atMostOnce_isFailedInsteadOfStartedAgain() {
        Cluster.Member doomed = cluster.join("doomed");
        Handler.Builder rules = Handler.named("charge").delivery(Delivery.AT_MOST_ONCE);
        doomed.tester().register(calls.with(rules, (arguments, job) -> new CompletableFuture<>()));
        cluster.time.advance(ofSeconds(30));
        JobId id = doomed.tester().operations().schedule("charge").now().id();
        cluster.time.advance(ofSeconds(1));

        doomed.process().kill();
        Cluster.Member heir = cluster.join("heir");
        heir.tester()
                .register(
                        others.with(Handler.named("charge").delivery(Delivery.AT_MOST_ONCE), (arguments, job) -> null));
        cluster.time.advance(ofMinutes(2));

        assertThat(others.count()).isZero();
        assertThat(cluster.memory.find(id)).get().extracting(Job::state).isEqualTo(JobState.FAILED);
    }

    @Test
    void cancel_afterACrashSaysThatAnAttemptMayBeInFlight() {
        Cluster.Member doomed = cluster.join("doomed");
        doomed.tester().register(calls.with(Handler.named("job"), (arguments, job) -> new CompletableFuture<>()));
        cluster.time.advance(ofSeconds(30));
        JobId id = doomed.tester().operations().schedule("job").now().id();
        cluster.time.advance(ofSeconds(1));
        doomed.process().kill();
        Cluster.Member heir = cluster.join("heir");
        cluster.time.advance(ofMinutes(2));

        assertThat(heir.tester().operations().cancel(id)).isEqualTo(CancelResult.CANCELLED_ATTEMPT_MAY_BE_IN_FLIGHT);
        cluster.time.advance(ofMinutes(2));
        assertThat(calls.count()).isEqualTo(1);
    }

    @Test
    void pausedProcess_findsItsAttemptFenced_andStops() {
        List<String> fenced = new ArrayList<>();
        List<JobId> rescued = new ArrayList<>();
        CompletableFuture<Object> answer = new CompletableFuture<>();
        Cluster.Member slow = cluster.join("slow", cluster.memory, UnaryOperator.identity(), new JobListener() {
            @Override
            public void fenced(Job job) {
                fenced.add(job.name());
            }
        });
        slow.tester().register(calls.with(Handler.named("job"), (arguments, job) -> answer));
        cluster.time.advance(ofSeconds(30));
        Cluster.Member other = cluster.join("other", cluster.memory, UnaryOperator.identity(), new JobListener() {
            @Override
            public void rescued(Collection<JobId> jobs) {
                rescued.addAll(jobs);
            }
        });
        cluster.time.advance(ofMinutes(1));
        JobId id = slow.tester().operations().schedule("job").now().id();
        cluster.time.advance(ofSeconds(1));
        other.tester().register(others.named("job"));

        slow.process().pause();
        cluster.time.advance(ofSeconds(30));
        answer.complete(null);
        slow.process().resume();
        cluster.time.advance(ofSeconds(30));

        assertThat(rescued).containsExactly(id);
        assertThat(calls.count()).isEqualTo(1);
        assertThat(others.count()).isEqualTo(1);
        assertThat(fenced).containsExactly("job");
        assertThat(cluster.memory.find(id)).get().satisfies(job -> {
            assertThat(job.state()).isEqualTo(JobState.FINISHED);
            assertThat(job.inDoubt()).as("the late end settled the doubt").isZero();
        });
    }

    @Test
    void pausedProcess_doesNotStartJobsThatItHadClaimedBefore() {
        Cluster.Member slow = member("slow");
        Cluster.Member other = cluster.join("other");
        other.tester().register(others.named("job"));
        cluster.time.advance(ofMinutes(1));
        for (int i = 0; i < 500; i++) {
            slow.tester().operations().schedule("job").after(ofMillis(100L * i));
        }
        cluster.time.advance(ofSeconds(20));
        slow.process().pause();
        Instant paused = cluster.time.clock().storeTime();
        cluster.time.advance(ofMinutes(1));
        slow.process().resume();
        cluster.time.advance(ofMinutes(1));

        List<Calls.Call> all = new ArrayList<>(calls.all());
        all.addAll(others.all());
        assertThat(all).extracting(Calls.Call::id).doesNotHaveDuplicates().hasSize(500);
        assertThat(calls.times()).allSatisfy(at -> assertThat(at).isBeforeOrEqualTo(paused));
    }

    @Test
    void pausedProcess_dropsRowsThatOthersHaveReadMeanwhile() {
        Cluster.Member slow = cluster.join("slow", cluster.memory, settings -> settings.window(ofMinutes(5)));
        slow.tester().register(calls.named("job"));
        Cluster.Member other = cluster.join("other", cluster.memory, settings -> settings.window(ofMinutes(5)));
        other.tester().register(others.named("job"));
        cluster.time.advance(ofMinutes(1));
        for (int i = 0; i < 100; i++) {
            slow.tester().operations().schedule("job").after(ofMinutes(2).plusMillis(i));
        }
        slow.process().pause();
        cluster.time.advance(ofSeconds(30));
        assertThat(other.tester().engine().status().waiting()).isEqualTo(100);

        slow.process().resume();
        cluster.time.advance(ofMillis(1));
        assertThat(slow.tester().engine().status().waiting()).isZero();
        cluster.time.advance(ofMinutes(5));

        List<JobId> ran = new ArrayList<>();
        calls.all().forEach(call -> ran.add(call.id()));
        others.all().forEach(call -> ran.add(call.id()));
        assertThat(ran).doesNotHaveDuplicates().hasSize(100);
        assertThat(others.all()).allSatisfy(call -> assertThat(call.at()).isEqualTo(call.dueAt()));
        assertThat(calls.all()).allSatisfy(call -> assertThat(call.at()).isEqualTo(call.dueAt()));
    }

    @Test
    void jobClaimedJustBeforeAPause_isNotStartedAfterIt() {
        boolean[] pausing = {false};
        VirtualProcess[] process = new VirtualProcess[1];
        JobStore pausedByItsClaim = (JobStore) Proxy.newProxyInstance(
                JobStore.class.getClassLoader(), new Class<?>[] {JobStore.class}, (proxy, method, arguments) -> {
                    Object answer = method.invoke(cluster.memory, arguments);
                    if (pausing[0] && method.getName().equals("claim")) {
                        process[0].pause();
                    }
                    return answer;
                });
        Cluster.Member slow = cluster.join("slow", pausedByItsClaim, UnaryOperator.identity());
        process[0] = slow.process();
        slow.tester().register(calls.named("job"));
        cluster.time.advance(ofSeconds(30));
        Cluster.Member other = cluster.join("other");
        cluster.time.advance(ofMinutes(1));
        pausing[0] = true;
        JobId id = slow.tester().operations().schedule("job").now().id();
        cluster.time.advance(ofSeconds(1));
        assertThat(cluster.memory.find(id)).get().extracting(Job::state).isEqualTo(JobState.RUNNING);
        other.tester().register(others.named("job"));

        cluster.time.advance(ofSeconds(30));
        pausing[0] = false;
        slow.process().resume();
        cluster.time.advance(ofMinutes(1));

        assertThat(others.count()).isEqualTo(1);
        assertThat(calls.count()).isZero();
    }

    @Test
    void withoutAnyLease_jobsAreAdopted_andLostJobsAreRescued() {
        cluster.withoutLeases();
        Cluster.Member doomed = cluster.join("doomed");
        doomed.tester().register(calls.with(Handler.named("job"), (arguments, job) -> new CompletableFuture<>()));
        cluster.time.advance(ofSeconds(30));
        JobId lost = doomed.tester().operations().schedule("job").now().id();
        JobId waiting =
                doomed.tester().operations().schedule("job").after(ofMinutes(1)).id();
        cluster.time.advance(ofSeconds(1));
        Cluster.Member heir = cluster.join("heir");
        heir.tester().register(others.named("job"));
        cluster.time.advance(ofSeconds(30));

        doomed.process().kill();
        cluster.time.advance(ofMinutes(3));

        assertThat(heir.led()).isZero();
        assertThat(others.all()).extracting(Calls.Call::id).containsExactlyInAnyOrder(lost, waiting);
    }

    @Test
    void instanceThatOnlySchedules_submitsJobsThatOthersRun() {
        Cluster.Member web = cluster.join("web", cluster.memory, settings -> settings.worker(false));
        Cluster.Member worker = cluster.join("worker");
        worker.tester().register(others.named("job"));
        cluster.time.advance(ofMinutes(1));

        web.tester().operations().schedule("job").after(ofMinutes(5));
        web.tester().operations().schedule("job").now();
        cluster.time.advance(ofMinutes(10));

        assertThat(others.count()).isEqualTo(2);
        assertThat(others.all().get(1).at()).isEqualTo(others.all().get(1).dueAt());
        assertThat(web.led()).isZero();
        assertThat(worker.led()).isEqualTo(8);
    }

    @Test
    void groupThatIsNamedByAnInstanceThatOnlySchedules_endsSoonAfterItsLastMember() {
        Cluster.Member web = cluster.join("web", cluster.memory, settings -> settings.worker(false));
        Cluster.Member worker = cluster.join("worker");
        worker.tester().register(others.named("job"));
        worker.tester().register(others.named("done"));
        cluster.time.advance(ofMinutes(1));
        DelayJobOperations jobs = web.tester().operations();

        JobId follower = jobs.group("import").add(jobs.schedule("job")).whenAllEnded(jobs.schedule("done"));
        cluster.time.advance(ofSeconds(10));

        assertThat(others.all()).extracting(Calls.Call::id).hasSize(2).endsWith(follower);
    }

    @Test
    void fewerPartitions_leaveNoJobBehind() {
        Cluster.Member before = cluster.join("before", cluster.memory, settings -> settings.partitions(64));
        before.tester().register(calls.named("job"));
        cluster.time.advance(ofSeconds(30));
        for (int i = 0; i < 200; i++) {
            before.tester().operations().schedule("job").after(ofHours(1));
        }
        before.tester().engine().stop();

        Cluster.Member after = cluster.join("after", cluster.memory, settings -> settings.partitions(2));
        after.tester().register(others.named("job"));
        cluster.time.advance(ofHours(2));

        assertThat(others.count()).isEqualTo(200);
        assertThat(others.all()).allSatisfy(call -> assertThat(call.at()).isEqualTo(call.dueAt()));
    }

    private Cluster.Member member(String name) {
        Cluster.Member member = cluster.join(name);
        member.tester().register(calls.named("job"));
        return member;
    }
}
