package io.delayjob.internal.engine;

import io.delayjob.event.JobListener;
import io.delayjob.handler.Handler;
import io.delayjob.internal.complete.Completer;
import io.delayjob.internal.dispatch.Lanes;
import io.delayjob.internal.dispatch.Neighbours;
import io.delayjob.internal.instance.ClusterListener;
import io.delayjob.internal.instance.Membership;
import io.delayjob.internal.maintain.MinuteLog;
import io.delayjob.job.Job;
import io.delayjob.job.JobId;
import io.delayjob.job.JobLog;
import io.delayjob.job.Partition;
import io.delayjob.job.Paused;
import io.delayjob.job.Printable;
import io.delayjob.settings.EngineSettings;
import io.delayjob.status.EngineStatus;
import io.delayjob.status.WheelStatus;
import io.delayjob.store.DueSink;
import io.delayjob.store.InstanceRow;
import io.delayjob.store.Vitals;
import io.delayjob.time.Agent;
import io.delayjob.time.AgentRunner;
import java.time.Duration;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.function.BiConsumer;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Represents one run of the engine, from a start to the next stop. The membership is created first, because all other
 * components need it.
 */
public final class EngineRun {

    private static final Logger log = LoggerFactory.getLogger(EngineRun.class);

    private static final int MOST_LISTED = 50;

    private final EngineParts parts;
    private final EngineSettings settings;
    private final Roles roles;
    private final LeadStation lead;
    private final Lanes lanes;
    private final PreloadStation preload;
    private final DispatchStation dispatch;
    private final MaintainStation maintain;
    private final OwnVitals vitals;

    /** @param minutes the statistics of each minute; a new start of the engine keeps the earlier statistics */
    public EngineRun(EngineParts parts, MinuteLog minutes, Traffic traffic) {
        this.parts = parts;
        settings = parts.settings();
        roles = new Roles(parts.clock(), parts.listeners());
        lead = new LeadStation(parts, roles, new ClusterNews(), this::vitals);
        lanes = new Lanes(
                parts.handlers(),
                settings,
                PreloadStation.maxReady(settings),
                parts.clock(),
                new Neighbours(
                        this::expectsRows,
                        this::countLed,
                        partition -> lead.leases.term(partition),
                        roles.waking(Role.LIMITS),
                        this::announceRoom,
                        this::announceWork));
        preload = new PreloadStation(parts, roles, lead, lanes.intake(), lanes.lead());
        roles.assign(Role.LIMITS, lanes.newWatch(parts.store(), lead::partitionsInUseNow));
        dispatch = new DispatchStation(parts, roles, lead.membership, preload, lanes);
        maintain = new MaintainStation(parts, roles, lead, preload, minutes);
        vitals = new OwnVitals(parts, traffic, lead, lanes, preload, dispatch.attempts);
    }

    private Vitals vitals() {
        return vitals.now();
    }

    private boolean expectsRows() {
        return preload.waiting.size() > 0;
    }

    private int countLed(String queue) {
        return lead.leases.led(queue, settings.queues().partitions());
    }

    public void groupNamed() {
        if (maintain.groups.named()) {
            roles.wake(Role.GROUPS);
        }
    }

    private void announceRoom() {
        roles.wake(Role.SWEEP);
        roles.wake(Role.ADOPT);
    }

    private void announceWork() {
        roles.wake(Role.CLAIM_PROMPT);
        if (dispatch.promptClaimer.isBusy()) {
            roles.wake(Role.CLAIM_BACKLOG);
        }
    }

    /** @param besides a short task that runs with each heartbeat */
    public void start(Runnable besides) {
        AgentRunner runner = parts.surroundings().agents();
        roles.assign(Role.HEARTBEAT, new Heartbeats(lead.membership, besides));
        roles.start(Role.HEARTBEAT, runner);
        if (!settings.worker()) {
            log.info(
                    "delayjob {} starts as instance {} on job store {} ({}). This instance schedules jobs "
                            + "but runs none, because delayjob.worker.enabled is false.",
                    version(),
                    settings.incarnation(),
                    parts.store(),
                    parts.store().capabilities());
            // Other instances may not know for minutes of a group that a call here has named.
            roles.start(Role.GROUPS, runner);
            // The minutes also count the answers that callers here give to jobs of other instances.
            roles.start(Role.STATISTICS, runner);
            return;
        }
        log.info(
                "delayjob {} starts as instance {} on job store {} ({}). Handlers: {}. Queues: {}.",
                version(),
                settings.incarnation(),
                parts.store(),
                parts.store().capabilities(),
                listed(parts.handlers().all().stream()
                        .map(Handler::name)
                        .sorted()
                        .toList()),
                listed(lead.queueNames.worked().stream()
                        .map(queue -> "%s (%d slots)"
                                .formatted(queue, settings.queue(queue).concurrency()))
                        .toList()));
        lead.queueNames.warnOfMismatches();
        roles.startAfter(Role.HEARTBEAT, runner);
    }

    private static String version() {
        String version = Version.read();
        return version == null ? "(version unknown)" : version;
    }

    private static String listed(List<String> names) {
        String listed = names.stream().limit(MOST_LISTED).collect(Collectors.joining(", "));
        int more = names.size() - MOST_LISTED;
        return names.isEmpty() ? "none" : more > 0 ? "%s and %d more".formatted(listed, more) : listed;
    }

    public void stop() {
        new StopSequence(parts, roles, lead, preload, lanes, dispatch, maintain).run();
    }

    /**
     * Reads pauses and cancellations from the store without delay, because a caller on this instance has changed them.
     *
     * @param paused the names that the caller has paused; after this call, this instance starts no jobs with these
     *     names
     */
    public void look(Paused paused) {
        if (!paused.isEmpty()) {
            lead.membership.hold(paused);
        }
        roles.wake(Role.HEARTBEAT);
    }

    /**
     * Returns the queues from the last read, without a request to the store. This read was at most a lease duration
     * ago.
     */
    public QueueAdmission.@Nullable QueuesSeen queuesSeen() {
        return lead.queuesSeen();
    }

    public DueSink nearDue() {
        return settings.worker() ? preload.waiting : DueSink.NONE;
    }

    public List<Partition> led(String queue) {
        return lead.leases.led(queue);
    }

    public Optional<Vitals.Progress> progress(Job job) {
        return dispatch.attempts.progress(job);
    }

    public Optional<JobLog> log(Job job) {
        return dispatch.attempts.log(job);
    }

    public EngineStatus status() {
        return new EngineStatus(
                true,
                settings.incarnation(),
                lead.membership.number(),
                lead.leases.led(),
                lead.membership.live(),
                preload.waiting.size(),
                lanes.ready(),
                dispatch.attempts.running(),
                dispatch.attempts.stuck(),
                lead.membership.paused(),
                maintain.unhandled.found(),
                lead.queues.left(),
                dispatch.completer.backlog(),
                lanes.occupancy().slotUse(),
                lanes.occupancy().waitingForRate(),
                lanes.occupancy().waitingForMutex(),
                lanes.occupancy().busyMutexes(),
                lanes.occupancy().limitedKeys(),
                lanes.occupancy().clusterSlots(),
                preload.wheel.levels(),
                preload.wheel.cascades(),
                Duration.ofNanos(preload.wheel.lagNanos()),
                troubles());
    }

    /** Returns {@code null} if the wheel is not polled within {@code patience}. */
    public @Nullable WheelStatus wheel(Duration patience) {
        return preload.look(patience);
    }

    private List<EngineStatus.Trouble> troubles() {
        Completer.Refusal refusal = dispatch.completer.refusal();
        if (refusal == null) {
            return roles.troubles();
        }
        // The agent itself does not fail, because the store refuses only the rows of a few jobs.
        EngineStatus.Trouble ofEnds = new EngineStatus.Trouble(
                "the end of attempts",
                Duration.ofNanos(parts.clock().nanoTime() - refusal.sinceNanos()),
                refusal.reason());
        return Stream.concat(roles.troubles().stream(), Stream.of(ofEnds)).toList();
    }

    private final class ClusterNews implements ClusterListener {

        /** Calls of {@link #pausesChanged} never overlap, so the field needs no lock. */
        private volatile Paused known = Paused.NOTHING;

        @Override
        public void instancesChanged() {
            roles.wake(Role.LEASE);
            roles.wake(Role.RESCUE);
            roles.wake(Role.GROUPS);
        }

        @Override
        public void instanceJoined(InstanceRow instance) {
            parts.listeners().tell(l -> l.instanceJoined(instance.number(), instance.incarnation()));
        }

        @Override
        public void instanceLeft(InstanceRow instance) {
            parts.listeners().tell(l -> l.instanceLeft(instance.number(), instance.incarnation()));
        }

        @Override
        public void instanceGivenUp(InstanceRow instance, Duration silence) {
            parts.listeners().tell(l -> l.instanceGivenUp(instance.number(), instance.incarnation(), silence));
        }

        /** Forgets the rows in memory, because other instances have read these rows, and have claimed most of them. */
        @Override
        public void expelled() {
            lanes.forget();
            preload.startAnew();
        }

        @Override
        public void pausesChanged(Paused paused) {
            if (paused.isEmpty()) {
                log.info("The pauses have changed. No handler and no queue is paused now.");
            } else {
                log.info(
                        "The pauses have changed. Paused handlers: {}. Paused queues: {}. Their jobs wait until "
                                + "somebody resumes them.",
                        Printable.of(paused.handlers()),
                        Printable.of(paused.queues()));
            }
            lanes.follow(paused);
            preload.followPauses();
            Paused before = known;
            known = paused;
            // The first read takes place before this instance registers. The pauses that it finds are older than the
            // instance.
            if (lead.membership.number() != 0) {
                tell(paused.without(before), JobListener::paused);
                tell(before.without(paused), JobListener::resumed);
            }
        }

        private void tell(Paused names, BiConsumer<JobListener, Paused> event) {
            if (!names.isEmpty()) {
                parts.listeners().tell(listener -> event.accept(listener, names));
            }
        }

        @Override
        public Set<JobId> cancelRequested(Set<JobId> jobs) {
            return dispatch.attempts.requestCancel(jobs, lanes.held(jobs));
        }
    }

    private record Heartbeats(Membership membership, Runnable besides) implements Agent {

        @Override
        public String roleName() {
            return membership.roleName();
        }

        @Override
        public long doWork() {
            besides.run();
            return membership.doWork();
        }
    }
}
