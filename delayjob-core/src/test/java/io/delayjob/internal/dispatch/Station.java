package io.delayjob.internal.dispatch;

import io.delayjob.event.JobListener;
import io.delayjob.event.JobListeners;
import io.delayjob.handler.Handler;
import io.delayjob.handler.HandlerRegistry;
import io.delayjob.handler.JobHandler;
import io.delayjob.handler.PayloadCodec;
import io.delayjob.handler.PayloadParameter;
import io.delayjob.internal.attempt.AttemptDefaults;
import io.delayjob.internal.attempt.Attempts;
import io.delayjob.internal.attempt.Judge;
import io.delayjob.internal.attempt.Recorder;
import io.delayjob.internal.attempt.Standing;
import io.delayjob.internal.attempt.UnderWay;
import io.delayjob.internal.complete.Completer;
import io.delayjob.internal.complete.Completions;
import io.delayjob.internal.complete.EndedAttempt;
import io.delayjob.internal.lane.Ticket;
import io.delayjob.job.DueRow;
import io.delayjob.job.GivenJob;
import io.delayjob.job.Job;
import io.delayjob.job.JobId;
import io.delayjob.job.JobOutcome;
import io.delayjob.job.JobState;
import io.delayjob.job.Partition;
import io.delayjob.memory.MemoryJobStore;
import io.delayjob.schedule.RetryPolicy;
import io.delayjob.settings.AttemptLog;
import io.delayjob.settings.EngineSettings;
import io.delayjob.settings.QueueSettings;
import io.delayjob.status.SlotUse;
import io.delayjob.store.ClaimedRow;
import io.delayjob.store.DueSink;
import io.delayjob.store.InstanceRow;
import io.delayjob.store.PartitionCursor;
import io.delayjob.time.Agent;
import io.delayjob.time.HandClock;
import io.delayjob.wheel.TimingWheel;
import java.time.Duration;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Collections;
import java.util.Deque;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.SplittableRandom;
import java.util.concurrent.Executor;
import java.util.concurrent.RejectedExecutionException;
import java.util.random.RandomGenerator;
import java.util.stream.Collectors;

/**
 * The way from due to done of one instance, agents and workers driven by hand: {@link #work()} does whatever there is
 * to do until nobody has anything left.
 */
public final class Station {

    public final HandClock clock = new HandClock();
    public final FragileRandom random = new FragileRandom();
    public final MemoryJobStore rows = new MemoryJobStore(clock::storeMicros);
    public final FaultyStore store = new FaultyStore(rows);
    public final HandTransactions transactions = new HandTransactions(rows);
    public final HandlerRegistry handlers = new HandlerRegistry();
    public final Workers workers = new Workers();
    public final List<String> events = new ArrayList<>();
    public final JobListeners listeners = new JobListeners(List.of(new JobListener() {
        @Override
        public void started(Job job, Duration lateness) {
            events.add("started " + job.name());
        }

        @Override
        public void fenced(Job job) {
            events.add("fenced " + job.name());
        }
    }));
    public final long number = rows.instances().register("one#1", Set.of("default"), Set.of());
    public final Completer completer = new Completer(store.asStore(), this::takeOver, listeners, clock, 500, () -> {});
    public final Completions completions =
            new Completions(clock, random, AttemptLog.ALL, true, String::valueOf, (step, result) -> step);
    public final Recorder recorder = new Recorder(completions, completer, clock);
    public final UnderWay timeouts = new UnderWay(listeners, clock, Duration.ofSeconds(5), () -> this.timeoutWakes++);
    public final TimingWheel wheel =
            TimingWheel.builder(clock::nanoTime).tick(Duration.ofNanos(1)).polledByOwner(() -> {});
    public final Lanes lanes;
    final Later later;
    final Claims claims;
    public final Attempts attempts;
    /** Claims whatever there is. */
    public final Claimer claimer;

    public final Claimer promptClaimer;

    final Agent watch;

    /** The claimers that have woken the other one. */
    public final List<Claimer.Role> wokenByOther = new ArrayList<>();

    /** What completions have left waiting. */
    public final List<DueRow> handedOver = new ArrayList<>();

    /** What the claimer found not to be due yet. */
    public final List<DueRow> early = new ArrayList<>();

    public boolean alive = true;
    public boolean expectsRows;
    /** The number of partitions that this instance leads, of eight. */
    public int led = 8;

    /** The number of the lease of each partition; 0 if this instance leads none. */
    public long term = 1;

    public int watchWakes;
    public int roomAnnounced;
    public int workAnnounced;
    public int timeoutWakes;
    private int lastId;

    public Station(int slots) {
        this(slots, 1_000, new TextCodec());
    }

    public Station(int slots, int maxReady, PayloadCodec codec) {
        lanes = new Lanes(
                handlers,
                settings(slots),
                maxReady,
                clock,
                new Neighbours(
                        () -> expectsRows,
                        queue -> led,
                        partition -> term,
                        () -> watchWakes++,
                        () -> roomAnnounced++,
                        () -> workAnnounced++));
        AttemptDefaults defaults = new AttemptDefaults(
                RetryPolicy.gaps(Duration.ofSeconds(10)), null, Duration.ofHours(1), Duration.ofDays(1));
        attempts = new Attempts(
                new Alive(),
                new Judge(handlers, codec, defaults, clock, random),
                recorder,
                timeouts,
                new Attempts.Workplace(workers, transactions),
                clock);
        later = new Later(wheel, clock, lanes, attempts, this::takeBack);
        claims = new Claims(lanes, store.asStore(), new Alive(), () -> completer.backlog() > 8 * 500, clock, random);
        claimer = newClaimer(Claimer.Role.BACKLOG);
        promptClaimer = newClaimer(Claimer.Role.PROMPT);
        watch = lanes.newWatch(store.asStore(), () -> List.of(new Partition("default", 0)));
    }

    /** Returns settings whose queues have this number of slots each. The queue "off" is not worked. */
    private static EngineSettings settings(int slots) {
        QueueSettings worked = new QueueSettings(slots, true);
        return EngineSettings.defaults("one#1").toBuilder()
                .queues(Map.of("default", worked, "busy", worked, "off", new QueueSettings(slots, false)))
                .build();
    }

    private Claimer newClaimer(Claimer.Role role) {
        return new Claimer(role, 500, lanes, claims, later, () -> wokenByOther.add(role));
    }

    public Station handler(String name, JobHandler body) {
        return handler(Handler.named(name).calls(body));
    }

    public Station handler(Handler handler) {
        handlers.register(handler);
        return this;
    }

    /** Writes a job that is due now. */
    public DueRow due(String name) {
        return due(GivenJob.given().name(name));
    }

    public DueRow due(GivenJob job) {
        JobId id = GivenJob.id(++lastId);
        rows.submit(List.of(job.id(id).token(random.nextLong()).toBeWritten()), DueSink.NONE);
        return rows.find(id).orElseThrow().toDueRow();
    }

    public List<DueRow> due(String name, int count) {
        List<DueRow> due = new ArrayList<>();
        for (int i = 0; i < count; i++) {
            due.add(due(name));
        }
        return due;
    }

    /** Writes a job, offers it, and does all there is to do. */
    public JobId run(GivenJob job) {
        DueRow row = due(job);
        offer(List.of(row));
        work();
        return row.id();
    }

    /** Of a job that was claimed past the lanes. */
    public static Ticket ticket(Job claimed) {
        Ticket ticket = new Ticket(null, claimed.toDueRow(), 0, Ticket.Kind.ON_TIME);
        ticket.claimed(claimed);
        return ticket;
    }

    public boolean hasClaimed() {
        return lanes.hasClaimed();
    }

    public Set<JobId> requestCancel(Set<JobId> jobs) {
        return attempts.requestCancel(jobs, lanes.held(jobs));
    }

    /** Of all instances that are not registered. */
    public void rescue() {
        PartitionCursor start = PartitionCursor.start(new Partition("default", 0));
        Set<Long> registered =
                rows.instances().list().stream().map(InstanceRow::number).collect(Collectors.toSet());
        List<DueRow> lost = rows.claimedByOthers(List.of(start), clock.storeTime(), registered, 100).rows().stream()
                .map(ClaimedRow::row)
                .toList();
        rows.rescue(lost, clock.storeTime(), random.nextLong());
    }

    private List<DueRow> takeBack(List<DueRow> rows, long asOfNanos) {
        early.addAll(rows);
        return List.of();
    }

    public List<DueRow> offer(List<DueRow> rows) {
        return lanes.intake().offer(rows, clock.nanoTime());
    }

    public void work() {
        boolean again = true;
        while (again) {
            wheel.poll();
            again = claimer.doWork() == 0;
            again |= watch.doWork() == 0;
            again |= workers.runAll();
            again |= completer.doWork() == 0;
            timeouts.doWork();
        }
        completer.doWork();
    }

    /** What the sweep does: offers the row as it stands now. */
    public void offerAsItStands(JobId id) {
        offer(List.of(job(id).toDueRow()));
    }

    public Job job(JobId id) {
        return rows.find(id).orElseThrow();
    }

    private List<DueRow> takeOver(List<DueRow> rows, long asOfNanos) {
        handedOver.addAll(rows);
        return List.of();
    }

    public JobState state(JobId id) {
        return job(id).state();
    }

    /** The end of an attempt that is not to be found in the table. */
    public EndedAttempt ended(Job job) {
        return new EndedAttempt(
                completions.of(job, null, new JobOutcome.Succeeded(), RetryPolicy.none(), null, null), Duration.ZERO);
    }

    public int slotsTaken() {
        return lanes.occupancy().slotUse().values().stream()
                .mapToInt(SlotUse::active)
                .sum();
    }

    private final class Alive implements Standing {

        @Override
        public long number() {
            return number;
        }

        @Override
        public boolean mayStart(long owner) {
            return alive && owner == number;
        }
    }

    /** Fails in the middle of whatever draws from it when it is told to. */
    public static final class FragileRandom implements RandomGenerator {

        private final RandomGenerator random = new SplittableRandom(1);
        public int failures;

        @Override
        public long nextLong() {
            if (failures > 0) {
                failures--;
                throw new OutOfMemoryError("pretended");
            }
            return random.nextLong();
        }
    }

    /** Runs what it is given when told to, on the test's thread. */
    public static final class Workers implements Executor {

        private final Deque<Runnable> tasks = new ArrayDeque<>();
        public boolean rejecting;
        public Error broken;

        @Override
        public void execute(Runnable task) {
            if (rejecting) {
                throw new RejectedExecutionException("no room");
            }
            if (broken != null) {
                throw broken;
            }
            tasks.add(task);
        }

        public boolean runAll() {
            boolean any = false;
            while (!tasks.isEmpty()) {
                tasks.remove().run();
                any = true;
            }
            return any;
        }

        public void runOne() {
            tasks.remove().run();
        }

        public int waiting() {
            return tasks.size();
        }
    }

    /** One argument, the payload itself; {@code "unreadable"} cannot be read, {@code "broken"} breaks the reader. */
    public static class TextCodec implements PayloadCodec {

        @Override
        public String encode(List<PayloadParameter> parameters, List<?> arguments) {
            throw new UnsupportedOperationException();
        }

        @Override
        public String encodeNamed(Map<String, ?> arguments) {
            throw new UnsupportedOperationException();
        }

        @Override
        public List<Object> decode(List<PayloadParameter> parameters, String payload) {
            if ("unreadable".equals(payload)) {
                throw new IllegalArgumentException("unreadable");
            }
            if ("broken".equals(payload)) {
                throw new StackOverflowError();
            }
            return Collections.singletonList(payload);
        }
    }
}
