package io.delayjob.actuate.endpoint;

import static org.assertj.core.api.Assertions.assertThat;

import io.delayjob.actuate.endpoint.InstancesDescriptor.InstanceDescriptor;
import io.delayjob.actuate.endpoint.InstancesDescriptor.State;
import io.delayjob.handler.ConcurrencyScope;
import io.delayjob.handler.Handler;
import io.delayjob.handler.HandlerRegistry;
import io.delayjob.handler.RateLimit;
import io.delayjob.job.AttemptCounts;
import io.delayjob.job.Job;
import io.delayjob.job.JobEnd;
import io.delayjob.job.JobExtras;
import io.delayjob.job.JobId;
import io.delayjob.job.JobPlan;
import io.delayjob.job.JobProgress;
import io.delayjob.job.JobState;
import io.delayjob.job.JobTask;
import io.delayjob.job.Partition;
import io.delayjob.job.Paused;
import io.delayjob.status.BusyMutex;
import io.delayjob.status.ClusterSlots;
import io.delayjob.status.EngineStatus;
import io.delayjob.status.LimitedKey;
import io.delayjob.status.SlotUse;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.UUID;
import java.util.function.Consumer;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.MethodSource;

class WhyNotRunningTest {

    private static final Instant NOW = Instant.parse("2030-01-01T08:00:00Z");

    private static final Partition PARTITION = new Partition("mail", 4);

    private static final long SELF = 1;

    /** A moment at which nothing keeps the job from running; each case changes something. */
    private static final class Moment {
        Instant dueAt = NOW.minusSeconds(3);
        JobState state = JobState.READY;
        boolean cancelRequested;
        long owner;
        Paused paused = Paused.NOTHING;
        Set<Set<String>> known = Set.of(Set.of("send", "send-old"));
        List<InstanceDescriptor> instances = List.of(instance(SELF, State.ALIVE, "mail"));
        List<Partition> led = List.of(PARTITION);
        Map<String, SlotUse> slots = Map.of("mail", new SlotUse(12, 0, 16));
        final HandlerRegistry handlers = new HandlerRegistry();

        JobExtras extras = JobExtras.NONE;

        List<BusyMutex> busyMutexes = List.of();

        List<LimitedKey> limitedKeys = List.of();

        Map<String, Integer> waitingForRate = Map.of();

        Map<String, ClusterSlots> clusterSlots = Map.of();

        /** Gives the handler a rate for all its jobs. */
        void rated() {
            handlers.register(Handler.named("send")
                    .formerNames(Set.of("send-old"))
                    .rate(RateLimit.of("10/min"))
                    .calls((arguments, job) -> null));
        }

        /** Gives each key of the handler a rate, and the job a key. */
        void ratedByKey() {
            extras = JobExtras.NONE.withRateKey("customer-7");
            handlers.register(Handler.named("send")
                    .formerNames(Set.of("send-old"))
                    .rate(RateLimit.of("10/min"))
                    .rateBy(arguments -> "customer-7")
                    .calls((arguments, job) -> null));
        }

        void limited(ClusterSlots slots) {
            handlers.register(Handler.named("send")
                    .formerNames(Set.of("send-old"))
                    .concurrency(8)
                    .scope(ConcurrencyScope.CLUSTER)
                    .calls((arguments, job) -> null));
            clusterSlots = Map.of("send", slots);
        }

        @Nullable
        Duration defaultTimeout;

        List<String> findings() {
            return new WhyNotRunning(NOW, new Pauses(paused, handlers), known, instances, status(), defaultTimeout)
                    .of(job()).stream()
                            .map(found -> found.check() + (found.holds() ? " yes: " : " no: ") + found.says())
                            .toList();
        }

        private Job job() {
            return new Job(
                    new JobId(new UUID(0, 1)),
                    PARTITION,
                    JobTask.of("send-old").withExtras(extras.toText()),
                    JobPlan.once(dueAt, dueAt),
                    new JobProgress(
                            state,
                            7,
                            owner,
                            state == JobState.RUNNING ? dueAt : null,
                            cancelRequested,
                            new AttemptCounts(1, 0, 0, 0)),
                    JobEnd.NONE);
        }

        private EngineStatus status() {
            EngineStatus stopped = EngineStatus.stopped("shop#1");
            return new EngineStatus(
                    true,
                    stopped.incarnation(),
                    SELF,
                    led,
                    List.of(),
                    0,
                    0,
                    0,
                    List.of(),
                    paused,
                    List.of(),
                    Set.of(),
                    0,
                    slots,
                    waitingForRate,
                    0,
                    busyMutexes,
                    limitedKeys,
                    clusterSlots,
                    List.of(),
                    0,
                    Duration.ZERO,
                    List.of());
        }
    }

    private static InstanceDescriptor instance(long number, State state, String... queues) {
        return new InstanceDescriptor(
                number, "shop#" + number, Set.of(queues), state, null, true, number == SELF, Duration.ZERO, null);
    }

    private static Arguments a(String what, Consumer<Moment> change, String... expected) {
        return Arguments.of(what, change, List.of(expected));
    }

    private static void runs(Moment moment) {
        moment.state = JobState.RUNNING;
        moment.owner = 2;
        moment.instances = List.of(instance(2, State.ALIVE, "mail"));
    }

    static Stream<Arguments> cases() {
        return Stream.of(
                a(
                        "job that may run",
                        moment -> {},
                        "DUE yes: The job has been due for 3 s.",
                        "HANDLER yes: A registered instance has the job's handler 'send-old'.",
                        "PAUSED yes: Neither the job's handler nor its queue is paused.",
                        "INSTANCE yes: 1 instance serves queue 'mail'.",
                        "SLOTS yes: 4 of 16 slots of queue 'mail' are free on this instance.",
                        "LEADER yes: This instance leads the job's partition mail-p4."),
                a(
                        "delayed job",
                        moment -> {
                            moment.dueAt = NOW.plusSeconds(2_460);
                            moment.state = JobState.DELAYED;
                        },
                        "DUE no: The job is due in 41 min."),
                a(
                        "job that awaits an answer",
                        moment -> {
                            moment.dueAt = NOW.plusSeconds(2_460);
                            moment.state = JobState.AWAITING;
                        },
                        "AWAITING yes: The job's handler has returned. The answer from outside must come within 41 min."),
                a(
                        "job whose answer is overdue",
                        moment -> moment.state = JobState.AWAITING,
                        "AWAITING no: The deadline for the answer from outside was 3 s ago. The attempt fails once an instance can start jobs of this handler."),
                a(
                        "job without a handler",
                        moment -> moment.known = Set.of(Set.of("other")),
                        "HANDLER no: No registered instance has the job's handler 'send-old'. Start an "
                                + "instance that has this handler, or cancel the job."),
                a(
                        "job of a paused handler",
                        moment -> moment.paused = Paused.handlers(Set.of("send-old")),
                        "PAUSED no: Handler 'send-old' is paused until somebody resumes it."),
                a(
                        "job of a handler that is paused under its present name",
                        moment -> {
                            moment.handlers.register(Handler.named("send")
                                    .formerNames(Set.of("send-old"))
                                    .calls((arguments, job) -> null));
                            moment.paused = Paused.handlers(Set.of("send"));
                        },
                        "PAUSED no: Handler 'send-old' is paused until somebody resumes it."),
                a(
                        "job of a paused queue",
                        moment -> moment.paused = Paused.queue("mail"),
                        "PAUSED no: Queue 'mail' is paused until somebody resumes it."),
                a(
                        "queue that only stopping and late instances work",
                        moment -> moment.instances = List.of(
                                instance(SELF, State.STOPPING, "mail"),
                                instance(2, State.LATE, "mail"),
                                instance(3, State.ALIVE, "default")),
                        "INSTANCE no: No live instance serves queue 'mail'. Start an instance that serves this queue."),
                a(
                        "queue that two instances work",
                        moment -> moment.instances =
                                List.of(instance(SELF, State.ALIVE, "mail"), instance(2, State.UNSEEN, "mail")),
                        "INSTANCE yes: 2 instances serve queue 'mail'."),
                a(
                        "queue whose slots are taken",
                        moment -> moment.slots = Map.of("mail", new SlotUse(16, 2, 16)),
                        "SLOTS no: All 16 slots of queue 'mail' are taken on this instance."),
                a(
                        "partition not led here, of a queue that this instance alone works",
                        moment -> moment.led = List.of(),
                        "SLOTS yes: 4 of 16 slots of queue 'mail' are free on this instance."),
                a(
                        "job whose mutex no job waits for",
                        moment -> moment.extras = JobExtras.NONE.withMutex("account-7"),
                        "MUTEX yes: No job waits for the mutex 'account-7'."),
                a(
                        "job whose mutex another job holds",
                        moment -> {
                            moment.extras = JobExtras.NONE.withMutex("account-7");
                            moment.busyMutexes = List.of(
                                    new BusyMutex("other", "account-7", null, 9),
                                    new BusyMutex("mail", "account-7", new JobId(new UUID(0, 2)), 3));
                        },
                        "MUTEX no: Job 00000000-0000-0000-0000-000000000002 holds the mutex 'account-7'. 3 due jobs wait for it on this instance."),
                a(
                        "job whose leader has just begun",
                        moment -> {
                            moment.extras = JobExtras.NONE.withMutex("account-7");
                            moment.busyMutexes = List.of(new BusyMutex("mail", "account-7", null, 3));
                        },
                        "MUTEX no: Jobs wait for the mutex 'account-7', because this instance has just begun to decide about it and is still reading which jobs run."),
                a(
                        "job of a limited handler with a free slot here",
                        moment -> moment.limited(new ClusterSlots(8, 3, 0, 2)),
                        "CONCURRENCY yes: This instance has 3 of the 8 slots of handler 'send' in the cluster, and 2 attempts run here."),
                a(
                        "job of a limited handler whose former attempts may still run",
                        moment -> moment.limited(new ClusterSlots(8, 3, 1, 2)),
                        "CONCURRENCY no: This instance has 3 of the 8 slots of handler 'send' in the cluster, and 2 attempts run here. It cannot use 1 of these slots yet, because attempts that ran on other instances must end first."),
                a(
                        "job of a limited handler without slots here",
                        moment -> moment.limited(new ClusterSlots(2, 0, 0, 0)),
                        "CONCURRENCY no: This instance has none of the 2 slots of handler 'send' in the cluster. An instance with a free slot takes the job over."),
                a(
                        "job of a handler whose rate no job waits for",
                        Moment::rated,
                        "RATE yes: No due job of handler 'send' waits on this instance for its rate, 10/min, burst 1."),
                a(
                        "job of a handler whose rate is used up",
                        moment -> {
                            moment.rated();
                            moment.waitingForRate = Map.of("send", 9);
                        },
                        "RATE no: 9 due jobs of handler 'send' wait on this instance for its rate, 10/min, burst 1, or for the rate of queue 'mail'."),
                a(
                        "job without a rate in a queue whose rate is used up",
                        moment -> {
                            moment.handlers.register(Handler.named("send")
                                    .formerNames(Set.of("send-old"))
                                    .calls((arguments, job) -> null));
                            moment.waitingForRate = Map.of("send", 9);
                        },
                        "RATE no: 9 due jobs of handler 'send' wait on this instance for the rate of queue 'mail', or for the end of a rest."),
                a(
                        "job whose key has tokens",
                        moment -> {
                            moment.ratedByKey();
                            moment.waitingForRate = Map.of("send", 9);
                            moment.limitedKeys = List.of(new LimitedKey("mail", "send", "customer-8", 9));
                        },
                        "RATE yes: No due job with the key 'customer-7' waits on this instance for its rate, 10/min, burst 1."),
                a(
                        "job whose key has no token",
                        moment -> {
                            moment.ratedByKey();
                            moment.limitedKeys = List.of(
                                    new LimitedKey("other", "send", "customer-7", 5),
                                    new LimitedKey("mail", "send", "customer-7", 3));
                        },
                        "RATE no: 3 due jobs with the key 'customer-7' wait on this instance for its rate, 10/min, burst 1."),
                a(
                        "job without a key, of a handler with a rate by key",
                        moment -> {
                            moment.ratedByKey();
                            moment.extras = JobExtras.NONE;
                            moment.limitedKeys = List.of(new LimitedKey("mail", "send", "", 3));
                        },
                        "RATE no: 3 due jobs without a key wait on this instance for their rate, 10/min, burst 1."),
                a("running job", WhyNotRunningTest::runs, "RUNNING yes: Instance 2 has been running the job for 3 s."),
                a(
                        "running job whose cancellation was requested",
                        moment -> {
                            runs(moment);
                            moment.cancelRequested = true;
                        },
                        "CANCELLED no: A cancellation was requested: no further attempt starts.",
                        "RUNNING yes: Instance 2 has been running the job for 3 s."),
                a(
                        "running job of a silent instance",
                        moment -> {
                            runs(moment);
                            moment.instances = List.of(instance(2, State.LATE, "mail"));
                        },
                        "RUNNING no: Instance 2 claimed the job, but its heartbeats are overdue. If none "
                                + "comes, another instance takes the job back."),
                a(
                        "running job of an instance that was given up",
                        moment -> {
                            runs(moment);
                            moment.instances = List.of();
                        },
                        "RUNNING no: Instance 2 claimed the job and is no longer registered. Another "
                                + "instance takes the job back."));
    }

    @ParameterizedTest(name = "{0}")
    @MethodSource("cases")
    void job_isExplained(String what, Consumer<Moment> change, List<String> expected) {
        Moment moment = new Moment();
        change.accept(moment);
        assertThat(moment.findings()).as(what).containsSubsequence(expected);
        assertThat(moment.findings().stream().filter(line -> line.contains(" no: ")))
                .containsExactlyElementsOf(
                        expected.stream().filter(line -> line.contains(" no: ")).toList());
    }

    static Stream<Arguments> leftOut() {
        Consumer<Moment> ledElsewhere = moment -> {
            moment.led = List.of();
            moment.instances = List.of(instance(SELF, State.ALIVE, "mail"), instance(2, State.ALIVE, "mail"));
        };
        return Stream.of(
                a(
                        "partition that may be led elsewhere",
                        ledElsewhere,
                        "SLOTS",
                        "CONCURRENCY",
                        "LEADER",
                        "RATE",
                        "MUTEX",
                        "CANCELLED",
                        "RUNNING"),
                a("instance alone", moment -> moment.led = List.of(), "LEADER", "CANCELLED", "RUNNING"),
                a("queue not worked here", moment -> moment.slots = Map.of(), "SLOTS"),
                a(
                        "job of a handler whose rate no job waits for",
                        Moment::rated,
                        "RATE yes: No due job of handler 'send' waits on this instance for its rate, 10/min, burst 1."),
                a(
                        "job of a handler whose rate is used up",
                        moment -> {
                            moment.rated();
                            moment.waitingForRate = Map.of("send", 9);
                        },
                        "RATE no: 9 due jobs of handler 'send' wait on this instance for its rate, 10/min, burst 1, or for the rate of queue 'mail'."),
                a(
                        "job without a rate in a queue whose rate is used up",
                        moment -> {
                            moment.handlers.register(Handler.named("send")
                                    .formerNames(Set.of("send-old"))
                                    .calls((arguments, job) -> null));
                            moment.waitingForRate = Map.of("send", 9);
                        },
                        "RATE no: 9 due jobs of handler 'send' wait on this instance for the rate of queue 'mail', or for the end of a rest."),
                a(
                        "job whose key has tokens",
                        moment -> {
                            moment.ratedByKey();
                            moment.waitingForRate = Map.of("send", 9);
                            moment.limitedKeys = List.of(new LimitedKey("mail", "send", "customer-8", 9));
                        },
                        "RATE yes: No due job with the key 'customer-7' waits on this instance for its rate, 10/min, burst 1."),
                a(
                        "job whose key has no token",
                        moment -> {
                            moment.ratedByKey();
                            moment.limitedKeys = List.of(
                                    new LimitedKey("other", "send", "customer-7", 5),
                                    new LimitedKey("mail", "send", "customer-7", 3));
                        },
                        "RATE no: 3 due jobs with the key 'customer-7' wait on this instance for its rate, 10/min, burst 1."),
                a(
                        "job without a key, of a handler with a rate by key",
                        moment -> {
                            moment.ratedByKey();
                            moment.extras = JobExtras.NONE;
                            moment.limitedKeys = List.of(new LimitedKey("mail", "send", "", 3));
                        },
                        "RATE no: 3 due jobs without a key wait on this instance for their rate, 10/min, burst 1."),
                a("running job", WhyNotRunningTest::runs, "DUE", "HANDLER", "PAUSED", "INSTANCE", "SLOTS", "LEADER"));
    }

    @ParameterizedTest(name = "{0}")
    @MethodSource("leftOut")
    void whatIsUnknownOrSettled_isLeftOut(String what, Consumer<Moment> change, List<String> checks) {
        Moment moment = new Moment();
        change.accept(moment);
        assertThat(moment.findings()).as(what).noneMatch(line -> checks.contains(line.split(" ")[0]));
    }

    static Stream<Arguments> timeouts() {
        return Stream.of(
                Arguments.of(null, null, ", without a timeout."),
                Arguments.of(null, Duration.ofMinutes(5), ", with a timeout of 5 min."),
                Arguments.of(Duration.ofSeconds(30), Duration.ofMinutes(5), ", with a timeout of 30 s."));
    }

    @ParameterizedTest
    @MethodSource
    void timeouts(@Nullable Duration ofHandler, @Nullable Duration byDefault, String end) {
        Moment moment = new Moment();
        runs(moment);
        moment.defaultTimeout = byDefault;
        moment.handlers.register(Handler.named("send")
                .formerNames(Set.of("send-old"))
                .timeout(ofHandler)
                .calls((arguments, job) -> null));
        assertThat(moment.findings()).containsExactly("RUNNING yes: Instance 2 has been running the job for 3 s" + end);
    }
}
