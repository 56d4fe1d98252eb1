package io.delayjob;

import io.delayjob.complete.Completer;
import io.delayjob.complete.Completions;
import io.delayjob.dispatch.AttemptDefaults;
import io.delayjob.dispatch.Attempts;
import io.delayjob.dispatch.Bounds;
import io.delayjob.dispatch.ClaimLead;
import io.delayjob.dispatch.Claimer;
import io.delayjob.dispatch.Claims;
import io.delayjob.dispatch.ComingJobs;
import io.delayjob.dispatch.Drained;
import io.delayjob.dispatch.Intake;
import io.delayjob.dispatch.Judge;
import io.delayjob.dispatch.Lanes;
import io.delayjob.dispatch.Recorder;
import io.delayjob.dispatch.Returns;
import io.delayjob.dispatch.Standing;
import io.delayjob.dispatch.TimeoutWatch;
import io.delayjob.dispatch.UnderWay;
import io.delayjob.dispatch.WorkedQueues;
import io.delayjob.event.JobListeners;
import io.delayjob.handler.Handler;
import io.delayjob.handler.HandlerRegistry;
import io.delayjob.handler.PayloadCodec;
import io.delayjob.handler.UnsupportedHandlerException;
import io.delayjob.instance.ClusterListener;
import io.delayjob.instance.Membership;
import io.delayjob.job.DueRow;
import io.delayjob.job.DueSink;
import io.delayjob.job.JobId;
import io.delayjob.job.JobState;
import io.delayjob.job.Partition;
import io.delayjob.job.Paused;
import io.delayjob.job.Printable;
import io.delayjob.lease.LeaseKeeper;
import io.delayjob.lease.LeaseProvider;
import io.delayjob.lease.ScopedLeases;
import io.delayjob.maintain.Rescuer;
import io.delayjob.maintain.Retention;
import io.delayjob.maintain.UnhandledJobs;
import io.delayjob.preload.Sweeper;
import io.delayjob.preload.WaitingRows;
import io.delayjob.preload.WindowReader;
import io.delayjob.store.HandlerTransactions;
import io.delayjob.store.JobStore;
import io.delayjob.store.Outlook;
import io.delayjob.store.StoreException;
import io.delayjob.time.Agent;
import io.delayjob.time.AgentRunner;
import io.delayjob.time.EngineClock;
import io.delayjob.time.ReadableDuration;
import io.delayjob.wheel.TimingWheel;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.Executor;
import java.util.concurrent.locks.LockSupport;
import java.util.function.Function;
import java.util.function.IntSupplier;
import java.util.function.Supplier;
import java.util.random.RandomGenerator;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * The engine between one start and the stop after it: the stations of a job's way, wired. The constructor reads as the
 * way goes, from the membership that everything rests on to the maintenance that nothing waits for.
 */
final class EngineRun {

    private static final Logger log = LoggerFactory.getLogger(EngineRun.class);

    /** How long attempts may take at the most to end after they were interrupted by a stop. */
    private static final Duration AFTER_INTERRUPT = Duration.ofSeconds(1);

    /** Maximum number of handlers, and of queues, in the log line of a start. */
    private static final int MOST_LISTED = 50;

    /** So often in a row the store may fail to take the last ends of attempts before a stop goes on without. */
    private static final int MAX_LAST_FAILURES = 3;

    /** So often, for half a second all in all, a stop waits for transactions that hold the rows of the last ends. */
    private static final int MAX_LAST_PAUSES = 6;

    /** With so many batches of ends waiting to be written, nothing more is claimed. */
    private static final int MAX_UNWRITTEN_BATCHES = 8;

    private final EngineSettings settings;
    private final JobStore store;
    private final HandlerRegistry handlers;
    private final AgentRunner runner;
    private final EngineClock clock;

    private final SupervisedAgent membershipAgent;
    private final SupervisedAgent leaseAgent;
    private final SupervisedAgent windowAgent;
    private final SupervisedAgent sweepAgent;
    private final SupervisedAgent adoptAgent;
    private final SupervisedAgent wheelAgent;
    private final SupervisedAgent claimAgent;
    private final SupervisedAgent secondClaimAgent;
    private final SupervisedAgent timeoutAgent;
    private final SupervisedAgent completeAgent;
    private final SupervisedAgent rescueAgent;
    private final SupervisedAgent retentionAgent;
    private final SupervisedAgent unhandledAgent;

    private final QueueNames queueNames;
    private final QueueChoice queues;
    private final Membership membership;
    private final LeaseKeeper leases;
    private final TimingWheel wheel;
    private final WaitingRows waiting;
    private final Outlook outlook;
    private final WindowReader windowReader;
    private final Sweeper sweeper;
    private final Sweeper adopter;
    private final Lanes lanes;
    private final Claimer claimer;
    private final Claimer secondClaimer;
    private final TimeoutWatch timeouts;
    private final Attempts attempts;
    private final Completer completer;
    private final Rescuer rescuer;
    private final Retention retention;
    private final UnhandledJobs unhandled;

    EngineRun(
            EngineSettings settings,
            JobStore store,
            LeaseProvider leaseProvider,
            HandlerRegistry handlers,
            PayloadCodec codec,
            EngineClock clock,
            AgentRunner runner,
            Executor workers,
            RandomGenerator random,
            JobListeners listeners) {
        this.settings = settings;
        this.store = store;
        this.handlers = handlers;
        this.runner = runner;
        this.clock = clock;
        OutageLog outages = new OutageLog();
        FaultLog faults = new FaultLog();
        Supplier<SupervisedAgent> supervised = () -> new SupervisedAgent(clock, listeners, outages, faults);
        membershipAgent = supervised.get();
        leaseAgent = supervised.get();
        windowAgent = supervised.get();
        sweepAgent = supervised.get();
        adoptAgent = supervised.get();
        wheelAgent = supervised.get();
        claimAgent = supervised.get();
        secondClaimAgent = supervised.get();
        timeoutAgent = supervised.get();
        completeAgent = supervised.get();
        rescueAgent = supervised.get();
        retentionAgent = supervised.get();
        unhandledAgent = supervised.get();

        outlook = new Outlook(store, clock);
        queueNames = new QueueNames(settings, handlers);
        queueNames.checkNumber();

        // Lead: who am I, and which partitions are mine?
        membership = new Membership(
                store.instances(),
                clock,
                settings.incarnation(),
                queueNames::worked,
                () -> settings.worker() ? handlers.allNames() : Set.of(),
                settings.heartbeat(),
                settings.liveness(),
                new ClusterNews(),
                membershipAgent);
        queues = new QueueChoice(settings, queueNames, this::registeredQueues, clock);
        leases = new LeaseKeeper(
                new ScopedLeases(leaseProvider, () -> store.identity(newIdentity(random))),
                clock,
                membership,
                this::partitions,
                settings.leaseDuration(),
                random,
                listeners,
                () -> {
                    windowAgent.run();
                    sweepAgent.run();
                    rescueAgent.run();
                });

        // Preload: rows wait in the wheel until their millisecond; the sweep finds all others.
        wheel = TimingWheel.builder(clock::nanoTime).tick(settings.wheelTick()).polledByOwner(wheelAgent);
        int maxReady = settings.maxJobs() / 2;
        ClaimLead claimLead = new ClaimLead(settings.claimLead());
        lanes = new Lanes(
                handlers,
                new SettingsOfQueues(settings),
                clock,
                claimLead,
                new Bounds(maxReady, settings.sweepInterval()),
                this::expectsRows,
                new LaneWakes());
        Intake intake = lanes.intake();
        waiting = new WaitingRows(
                wheel, clock, intake, intake, claimLead, settings.window(), settings.maxJobs() - maxReady);
        windowReader = new WindowReader(
                store,
                outlook,
                () -> withoutPausedQueues(leases.led()),
                waiting,
                clock,
                listeners,
                settings.window(),
                settings.sweepGrace(),
                settings.batchSize());
        sweeper = new Sweeper(
                "sweep",
                store,
                outlook,
                () -> withoutPausedQueues(leases.led()),
                handlers::names,
                name -> false,
                intake,
                intake::offerOverdue,
                clock,
                listeners,
                settings.sweepInterval(),
                settings.sweepGrace(),
                Duration.ZERO,
                settings.batchSize());
        adopter = new Sweeper(
                "adopt",
                store,
                outlook,
                () -> withoutPausedQueues(leases.notLed()),
                handlers::names,
                intake::hasEnoughOf,
                intake,
                (rows, asOfNanos) -> {
                    List<DueRow> refused = intake.offerOverdue(rows, asOfNanos);
                    int taken = rows.size() - refused.size();
                    if (taken > 0) {
                        listeners.tell(l -> l.adopted(taken));
                    }
                    return refused;
                },
                clock,
                listeners,
                settings.adoptAfter().dividedBy(2),
                settings.adoptAfter(),
                settings.sweepInterval(),
                settings.batchSize());

        // Complete: what has ended is written; what then waits again is handed over.
        completer = new Completer(store, waiting, listeners, clock, settings.batchSize(), completeAgent);
        Completions completions = new Completions(
                clock,
                random,
                settings.attempts(),
                !settings.history().finished().isZero());

        // Dispatch: due rows are claimed in batches, and each becomes an attempt on a worker.
        timeouts = new TimeoutWatch(clock, settings.interruptGrace(), timeoutAgent);
        AttemptDefaults defaults = new AttemptDefaults(
                settings.retry(), settings.timeout(), settings.maxSnooze(), settings.unreadablePayloadAfter());
        Recorder recorder = new Recorder(completions, completer, clock);
        attempts = new Attempts(
                lanes,
                new Judge(handlers, codec, defaults, random),
                recorder,
                new UnderWay(membership::mayStart, recorder, timeouts, clock, listeners),
                workers,
                clock,
                handlerTransactions());
        ComingJobs coming = new ComingJobs(wheel, clock, claimLead, lanes, attempts);
        Claims claims = new Claims(store, new OwnStanding(), claimLead, clock, random, settings.batchSize());
        int maxBacklog = MAX_UNWRITTEN_BATCHES * settings.batchSize();
        Function<Runnable, Claimer> besides = wakeOther -> new Claimer(
                lanes,
                claims,
                new Returns(lanes, waiting, store, clock, random),
                coming,
                attempts,
                () -> completer.backlog() > maxBacklog,
                wakeOther);
        claimer = besides.apply(secondClaimAgent);
        secondClaimer = besides.apply(claimAgent);

        // Maintain: attempts lost with their instance, and rows whose time is over.
        rescuer = new Rescuer(
                store,
                outlook,
                leases::led,
                leases::notLed,
                membership::departures,
                waiting,
                clock,
                random,
                listeners,
                settings.liveness());
        retention = new Retention(
                store,
                clock,
                Map.of(
                        JobState.FINISHED, settings.history().finished(),
                        JobState.CANCELLED, settings.history().cancelled(),
                        JobState.FAILED, settings.history().failed()));
        unhandled = new UnhandledJobs(
                store,
                membership,
                () -> partitionsInUse().keySet(),
                name -> handlers.find(name) != null,
                clock,
                settings.liveness());
    }

    /** Eight letters and digits: 40 random bits, written with 5 bits a character. */
    private static String newIdentity(RandomGenerator random) {
        long leadingOne = 1L << 40;
        return Long.toString(leadingOne | random.nextLong(leadingOne), 32).substring(1);
    }

    private HandlerTransactions handlerTransactions() {
        Optional<HandlerTransactions> transactions = store.handlerTransactions();
        if (transactions.isEmpty() && settings.worker()) {
            handlers.all().stream().filter(Handler::atomic).findFirst().ifPresent(EngineRun::refuse);
        }
        return transactions.orElse((work, timeout) -> {
            throw StoreException.refused(
                    "The job store has no transactions: what a handler writes cannot be undone.",
                    new UnsupportedOperationException("handlerTransactions"));
        });
    }

    private static void refuse(Handler atomic) {
        throw new UnsupportedHandlerException(
                "Handler '%s' is atomic, but the job store has no transactions that it could be called in: keep jobs in the database that it writes to (delayjob.store=jdbc), or remove atomic."
                        .formatted(atomic.name()));
    }

    private int closeClaimers() {
        return claimer.close() + secondClaimer.close();
    }

    private List<Partition> withoutPausedQueues(List<Partition> partitions) {
        Paused paused = membership.paused();
        return paused.queues().isEmpty()
                ? partitions
                : partitions.stream()
                        .filter(partition -> !paused.holdsQueue(partition.queue()))
                        .toList();
    }

    /**
     * Looks at once for pauses and cancellations, because a caller here has just made one.
     *
     * @param paused the names that the caller has paused; no such job begins here once this returns
     */
    void look(Paused paused) {
        if (!paused.isEmpty()) {
            membership.hold(paused);
        }
        membershipAgent.run();
    }

    /** The queues that live instances declare. */
    private Set<String> registeredQueues() {
        return membership.live().stream()
                .flatMap(sighting -> sighting.instance().queues().stream())
                .collect(Collectors.toSet());
    }

    /** As of the last look of any role, which is no older than a lease lasts; asks nobody. */
    QueueAdmission.@Nullable View queuesSeen() {
        Outlook.View view = outlook.lastIfYoungerThan(settings.leaseDuration());
        return view == null || membership.live().isEmpty()
                ? null
                : QueueAdmission.View.of(view.earliest().keySet(), registeredQueues(), view.asOfNanos());
    }

    private boolean expectsRows() {
        return waiting.size() > 0;
    }

    private Set<Partition> partitions() {
        return queues.candidates(partitionsInUse());
    }

    private Map<Partition, Instant> partitionsInUse() {
        return outlook.youngerThan(settings.leaseDuration().dividedBy(4)).earliest();
    }

    /** The version of the jar; classes outside of a jar have none. */
    private static String version() {
        String version = EngineRun.class.getPackage().getImplementationVersion();
        return version == null ? "(version unknown)" : version;
    }

    private static String listed(List<String> names) {
        String listed = names.stream().limit(MOST_LISTED).collect(Collectors.joining(", "));
        int more = names.size() - MOST_LISTED;
        return names.isEmpty() ? "none" : more > 0 ? "%s and %d more".formatted(listed, more) : listed;
    }

    void start() {
        membershipAgent.start(membership, runner);
        if (!settings.worker()) {
            log.info(
                    "delayjob {} starts as instance {} on store {}; it schedules only, because delayjob.worker.enabled is false.",
                    version(),
                    settings.incarnation(),
                    store);
            return;
        }
        log.info(
                "delayjob {} starts as instance {} on store {}; handlers: {}; queues: {}.",
                version(),
                settings.incarnation(),
                store,
                listed(handlers.all().stream().map(Handler::name).sorted().toList()),
                listed(queueNames.worked().stream()
                        .map(queue -> "%s (%d slots)"
                                .formatted(queue, settings.queue(queue).concurrency()))
                        .toList()));
        queueNames.warnOfMismatches();
        completeAgent.start(completer, runner);
        timeoutAgent.start(timeouts, runner);
        claimAgent.start(claimer, runner);
        secondClaimAgent.start(secondClaimer, runner);
        wheelAgent.start(new WheelAgent(wheel), runner);
        leaseAgent.start(leases, runner);
        windowAgent.start(windowReader, runner);
        sweepAgent.start(sweeper, runner);
        adoptAgent.start(adopter, runner);
        rescueAgent.start(rescuer, runner);
        retentionAgent.start(retention, runner);
        unhandledAgent.start(unhandled, runner);
    }

    void stop() {
        long began = clock.nanoTime();
        // First, for each agent may wait for an answer of the store, and those after it go on meanwhile.
        lanes.close();
        int underWay = lanes.slotsTaken();
        Duration grace = settings.stopAwait();
        log.info(
                "Instance {} is stopping: attempts under way: {}; it waits up to {} for them.",
                settings.incarnation(),
                underWay,
                ReadableDuration.of(grace));
        Stream.of(
                        windowAgent,
                        sweepAgent,
                        adoptAgent,
                        rescueAgent,
                        retentionAgent,
                        unhandledAgent,
                        leaseAgent,
                        wheelAgent,
                        claimAgent,
                        secondClaimAgent)
                .forEach(EngineRun::stop);
        waiting.clear();
        int handedBack = counted("hand its leases back", leases::releaseAll);
        // Not before: whoever hears of it looks at once for what is free.
        membership.stopping();
        membershipAgent.run();
        int released = counted("release what was claimed and not started", this::closeClaimers);
        Drained drained = attempts.drain(grace, grace.compareTo(AFTER_INTERRUPT) < 0 ? grace : AFTER_INTERRUPT);
        released += counted("release what was interrupted", this::closeClaimers);
        stop(timeoutAgent);
        stop(completeAgent);
        completer.hurry();
        attempt("write the last ends of attempts", this::writeAll);
        stop(membershipAgent);
        wheel.close();
        if (drained.left() == 0 && completer.backlog() == 0) {
            attempt("leave the register", membership::leave);
        } else {
            log.warn(
                    "Instance {} stops with attempts that did not end; other instances will repeat them: {}. Ends that could not be written: {}.",
                    settings.incarnation(),
                    attempts.underWay(),
                    completer.backlog());
        }
        log.info(
                "Instance {} stopped in {}: attempts that ended in time: {}, interrupted: {}; jobs released: {}, leases handed back: {}.",
                settings.incarnation(),
                ReadableDuration.of(Duration.ofNanos(clock.nanoTime() - began)),
                underWay - drained.interrupted(),
                drained.interrupted(),
                released,
                handedBack);
    }

    /** An agent that cannot be stopped does not prevent the stop of the others. */
    private static void stop(SupervisedAgent agent) {
        attempt("stop its " + agent.roleName(), agent::stop);
    }

    private void writeAll() {
        int failures = 0;
        int pauses = 0;
        while (failures < MAX_LAST_FAILURES && pauses < MAX_LAST_PAUSES) {
            try {
                long pause = completer.doWork();
                if (pause == Agent.UNTIL_WOKEN) {
                    return;
                }
                if (pause > 0) {
                    LockSupport.parkNanos(pause);
                    pauses++;
                }
                failures = 0;
            } catch (RuntimeException failure) {
                failures++;
                if (failures == MAX_LAST_FAILURES) {
                    throw failure;
                }
            }
        }
    }

    /**
     * What cannot be done any more is left to the others: they find it by their sweep, or by this instance's silence.
     */
    private static void attempt(String what, Runnable action) {
        counted(what, () -> {
            action.run();
            return 0;
        });
    }

    private static int counted(String what, IntSupplier action) {
        try {
            return action.getAsInt();
        } catch (RuntimeException | Error failure) {
            if (OutageLog.isOutage(failure)) {
                log.warn("delayjob could not {} while stopping: {}", what, failure.getMessage());
            } else {
                log.warn("delayjob could not {} while stopping; it goes on with the stop.", what, failure);
            }
            return 0;
        }
    }

    /** Where rows go that this instance has just written. */
    DueSink nearDue() {
        return settings.worker() ? waiting : DueSink.NONE;
    }

    /** One of the partitions of this queue that are led here, chosen by hash; {@code null} when there is none. */
    @Nullable
    Partition ledPartition(String queue, int hash) {
        List<Partition> led = leases.led(queue);
        return led.isEmpty() ? null : led.get(Math.floorMod(hash, led.size()));
    }

    EngineStatus status() {
        return new EngineStatus(
                true,
                settings.incarnation(),
                membership.number(),
                leases.led(),
                membership.live(),
                waiting.size(),
                lanes.ready(),
                attempts.running(),
                attempts.stuck(),
                membership.paused(),
                unhandled.found(),
                queues.left(),
                completer.backlog(),
                lanes.slotUse(),
                wheel.levels(),
                wheel.cascades(),
                Duration.ofNanos(wheel.lagNanos()),
                troubles());
    }

    private List<EngineStatus.Trouble> troubles() {
        Stream<EngineStatus.Trouble> ofAgents = Stream.of(
                        membershipAgent,
                        leaseAgent,
                        windowAgent,
                        sweepAgent,
                        adoptAgent,
                        wheelAgent,
                        claimAgent,
                        secondClaimAgent,
                        timeoutAgent,
                        completeAgent,
                        rescueAgent,
                        retentionAgent,
                        unhandledAgent)
                .flatMap(agent -> {
                    SupervisedAgent.Trouble trouble = agent.trouble();
                    return trouble == null
                            ? Stream.empty()
                            : Stream.of(trouble(agent.roleName(), trouble.sinceNanos(), trouble.reason()));
                });
        // Refused by the store, row by row, without the agent failing.
        Completer.Refusal refusal = completer.refusal();
        Stream<EngineStatus.Trouble> ofEnds = refusal == null
                ? Stream.empty()
                : Stream.of(trouble("the end of attempts", refusal.sinceNanos(), refusal.reason()));
        return Stream.concat(ofAgents, ofEnds).toList();
    }

    private EngineStatus.Trouble trouble(String role, long sinceNanos, String reason) {
        return new EngineStatus.Trouble(role, Duration.ofNanos(clock.nanoTime() - sinceNanos), reason);
    }

    /** What this instance makes of what it learns about the cluster. */
    private final class ClusterNews implements ClusterListener {

        @Override
        public void instancesChanged() {
            leaseAgent.run();
            rescueAgent.run();
        }

        /** Others have read it all meanwhile, and claimed most of it. */
        @Override
        public void expelled() {
            waiting.clear();
            lanes.forget();
            windowReader.startAnew();
            windowAgent.run();
        }

        /** Nothing of what is paused stays in memory; what was resumed is read from the table. */
        @Override
        public void pausesChanged(Paused paused) {
            log.info(
                    "Paused in the whole cluster are now handlers {} and queues {}.",
                    Printable.of(paused.handlers()),
                    Printable.of(paused.queues()));
            lanes.follow(paused);
            waiting.forgetPaused();
            windowReader.startAnew();
            windowAgent.run();
            sweeper.startAnew();
            sweepAgent.run();
            adopter.startAnew();
            adoptAgent.run();
        }

        @Override
        public Set<JobId> cancelRequested(Set<JobId> jobs) {
            return attempts.requestCancel(jobs);
        }
    }

    private final class LaneWakes implements Lanes.Wakes {

        @Override
        public void room() {
            sweepAgent.run();
            adoptAgent.run();
        }

        @Override
        public void work() {
            claimAgent.run();
            if (claimer.isBusy()) {
                secondClaimAgent.run();
            }
        }
    }

    private final class OwnStanding implements Standing {

        @Override
        public long number() {
            return membership.number();
        }

        @Override
        public boolean mayStart(long owner) {
            return membership.mayStart(owner);
        }
    }

    private record SettingsOfQueues(EngineSettings settings) implements WorkedQueues {

        @Override
        public boolean works(String queue) {
            return settings.queue(queue).enabled();
        }

        @Override
        public int slots(String queue) {
            return settings.queue(queue).concurrency();
        }
    }

    /** The wheel as an agent. */
    private record WheelAgent(TimingWheel wheel) implements Agent {

        @Override
        public String roleName() {
            return "wheel";
        }

        @Override
        public long doWork() {
            return wheel.poll();
        }
    }
}
