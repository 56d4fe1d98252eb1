package io.delayjob.internal.instance;

import io.delayjob.job.JobId;
import io.delayjob.job.Paused;
import io.delayjob.status.Sighting;
import io.delayjob.store.ClusterView;
import io.delayjob.store.InstanceRow;
import io.delayjob.store.InstanceStore;
import io.delayjob.time.Agent;
import io.delayjob.time.EngineClock;
import io.delayjob.time.ReadableDuration;
import io.delayjob.time.StoreTimeSample;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.OptionalLong;
import java.util.Set;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Registers this instance, sends its heartbeats, and observes the heartbeats of other instances.
 *
 * <p><strong>Silent instances.</strong> An instance is silent if its heartbeat counter does not change for a full
 * liveness period. Each observer measures this period on its <em>own</em> monotonic clock, and only while the store
 * answers its reads. Therefore, no instance looks dead because of a changed clock or an outage of the database.
 *
 * <p><strong>Permission to start.</strong> An instance starts no jobs if its last heartbeat or its last read of the
 * pauses is older than four fifths of a liveness period. The age of a heartbeat counts from when the heartbeat was
 * <em>sent</em>.
 *
 * <p>One agent thread calls {@link #doWork()}; any thread may call the other methods.
 */
public final class Membership implements Agent {

    private static final Logger log = LoggerFactory.getLogger(Membership.class);

    private final InstanceStore store;
    private final EngineClock clock;
    private final OwnEntry entry;
    private final long heartbeatNanos;
    private final long livenessNanos;
    private final ClusterListener listener;
    private final RollCall roll;
    private final Runnable wake;

    private final Map<Long, Watch> watches = new HashMap<>();
    private @Nullable Long answeredNanos;
    private @Nullable Long beatenNanos;
    private boolean stoppingSaid;

    private volatile Registration registration = Registration.NONE;
    private volatile List<Watch> live = List.of();
    private final AtomicInteger departures = new AtomicInteger();
    private volatile boolean stopping;
    private volatile Paused paused = Paused.NOTHING;
    private volatile long heardUntilNanos;

    private final Object pausing = new Object();

    /** Number of pauses that callers have made on this instance; guarded by {@link #pausing}. */
    private long pausesHere;

    /** Hash of the pauses that this instance has confirmed; {@code null} if the reply to a confirmation was lost. */
    private @Nullable Long acknowledged;

    public Membership(
            InstanceStore store,
            EngineClock clock,
            OwnEntry entry,
            HeartbeatTerms pulse,
            ClusterListener listener,
            Runnable wake) {
        this.store = store;
        this.clock = clock;
        this.entry = entry;
        this.heartbeatNanos = pulse.heartbeat().toNanos();
        this.livenessNanos = pulse.liveness().toNanos();
        this.listener = listener;
        this.roll = new RollCall(listener, heartbeatNanos);
        this.wake = wake;
    }

    @Override
    public String roleName() {
        return "heartbeat";
    }

    @Override
    public long doWork() {
        if (registration.number == 0) {
            // This instance must read the pauses before it claims its first job.
            look(0);
            register();
        }
        long now = clock.nanoTime();
        boolean news = stopping && !stoppingSaid;
        if (news || beatenNanos == null || now - beatenNanos >= heartbeatNanos || !clock.isSteady()) {
            beat();
        }
        observe();
        acknowledgePauses();
        return untilNextLook();
    }

    /** If another instance would become silent before the usual time of the next read, the next read is earlier. */
    private long untilNextLook() {
        if (!clock.isSteady()) {
            return 0;
        }
        long now = clock.nanoTime();
        long pause = live.size() > 1 ? heartbeatNanos / 3 : heartbeatNanos;
        if (beatenNanos != null) {
            pause = Math.min(pause, beatenNanos + heartbeatNanos - now);
        }
        for (Map.Entry<Long, Watch> watch : watches.entrySet()) {
            if (watch.getKey() != registration.number) {
                pause = Math.min(pause, watch.getValue().sinceNanos() + livenessNanos - now);
            }
        }
        return Math.max(pause, 0);
    }

    private void register() {
        long request = clock.nanoTime();
        Set<String> worked = Set.copyOf(entry.queues().get());
        long number =
                store.register(entry.incarnation(), worked, entry.handlers().get());
        acknowledged = Paused.NOTHING.fingerprint();
        watches.clear();
        registration = new Registration(number, worked, trustedUntil(request));
        log.info("Instance {} is registered under the number {}.", entry.incarnation(), number);
    }

    private void beat() {
        long request = clock.nanoTime();
        boolean said = stopping;
        OptionalLong storeMicros =
                store.beat(registration.number, said, entry.vitals().get());
        if (storeMicros.isEmpty()) {
            log.warn(
                    "Other instances treat this instance {} (number {}) as dead, because it sent no heartbeat for "
                            + "longer than delayjob.liveness. This instance registers again, but other instances may "
                            + "repeat its running jobs. Look for a long pause of this process.",
                    entry.incarnation(),
                    registration.number);
            registration = Registration.NONE;
            listener.expelled();
            register();
            return;
        }
        clock.observe(new StoreTimeSample(request, clock.nanoTime(), storeMicros.getAsLong()));
        beatenNanos = request;
        stoppingSaid = said;
        registration = new Registration(registration.number, registration.queues, trustedUntil(request));
    }

    private long trustedUntil(long requestNanos) {
        return requestNanos + livenessNanos / 5 * 4;
    }

    private void observe() {
        ClusterView view = look(registration.number);
        passOn(view.cancelRequested());
        List<InstanceRow> rows = view.instances();
        long now = clock.nanoTime();
        if (answeredNanos == null || now - answeredNanos > 2 * heartbeatNanos) {
            // Without reads, this instance knows nothing about the others.
            watches.clear();
        }
        // In such a long time, an instance may have registered and been removed.
        boolean missedSome = answeredNanos != null && now - answeredNanos >= livenessNanos;
        answeredNanos = now;
        Map<Long, Watch> before = Map.copyOf(watches);
        watches.clear();
        List<Watch> beating = new ArrayList<>();
        for (InstanceRow row : rows) {
            Watch seen = before.get(row.number());
            Watch current = Watch.of(row, seen, now);
            if (!isSilent(current, now)) {
                watches.put(row.number(), current);
                beating.add(current);
            }
        }
        live = List.copyOf(beating);
        RollCall.Changes changes = roll.call(beating, registration.number, now, missedSome);
        if (missedSome || changes.someLeft()) {
            departures.incrementAndGet();
        }
        if (missedSome || changes.any()) {
            listener.instancesChanged();
        }
    }

    private ClusterView look(long number) {
        long request = clock.nanoTime();
        long pausesBefore = pausesHere();
        ClusterView view = store.look(number);
        Paused seen = view.paused();
        if (!paused().and(seen).equals(seen)) {
            // Without this line, an earlier confirmation of the same pause could count for the new pause.
            acknowledge(Paused.NOTHING);
        }
        follow(seen, pausesBefore);
        heardUntilNanos = trustedUntil(request);
        return view;
    }

    private long pausesHere() {
        synchronized (pausing) {
            return pausesHere;
        }
    }

    /** @param pausesBefore the value of {@link #pausesHere} before this read of the register */
    private void follow(Paused seen, long pausesBefore) {
        synchronized (pausing) {
            if (pausesHere != pausesBefore) {
                // A caller has made another pause since this read, so the next read confirms it.
                wake.run();
                return;
            }
            if (!seen.equals(paused)) {
                paused = seen;
                listener.pausesChanged(seen);
            }
        }
    }

    /** Applies pauses that a caller on this instance has committed. Does not read the register. */
    public void hold(Paused more) {
        synchronized (pausing) {
            pausesHere++;
            Paused all = paused.and(more);
            if (!all.equals(paused)) {
                paused = all;
                listener.pausesChanged(all);
            }
        }
        wake.run();
    }

    private void acknowledgePauses() {
        Paused held;
        // The lock waits for a thread that has paused a name but not told the lanes yet.
        synchronized (pausing) {
            held = paused;
        }
        acknowledge(held);
    }

    private void acknowledge(Paused held) {
        long fingerprint = held.fingerprint();
        Long said = acknowledged;
        if (registration.number != 0 && (said == null || said != fingerprint)) {
            acknowledged = null;
            store.acknowledgePauses(registration.number, fingerprint);
            acknowledged = fingerprint;
        }
    }

    private void passOn(Set<JobId> asked) {
        Set<JobId> told = listener.cancelRequested(asked);
        if (!told.isEmpty()) {
            store.forgetCancellations(registration.number, told);
        }
    }

    private boolean isSilent(Watch watch, long now) {
        InstanceRow row = watch.instance();
        long silence = now - watch.sinceNanos();
        boolean silent = row.number() != registration.number
                && silence >= livenessNanos
                && store.remove(row.number(), row.beats());
        if (silent) {
            log.warn(
                    "Instance {} (number {}) sent no heartbeat for {}, so delayjob treats it as dead. The jobs that ran "
                            + "there become due again.",
                    row.incarnation(),
                    row.number(),
                    ReadableDuration.of(Duration.ofNanos(silence)));
        }
        return silent;
    }

    /** Returns 0 before the first registration was acknowledged. */
    public long number() {
        return registration.number;
    }

    public boolean mayStart(long owner) {
        Registration current = registration;
        long now = clock.nanoTime();
        if (owner == 0
                || current.number != owner
                || now - current.trustedUntilNanos >= 0
                || now - heardUntilNanos >= 0) {
            return false;
        }
        boolean steady = clock.isSteady();
        if (!steady) {
            // The store's next reply will tell whether the machine has slept. Without this request, jobs would wait for
            // the next heartbeat.
            wake.run();
        }
        return steady;
    }

    public List<Sighting> live() {
        long now = clock.nanoTime();
        return live.stream().map(watch -> watch.sighting(now, heartbeatNanos)).toList();
    }

    public Paused paused() {
        return paused;
    }

    /** Returns the numbers of the other live instances that run jobs and are not stopping. */
    public Set<Long> workers() {
        return others().map(InstanceRow::number).collect(Collectors.toSet());
    }

    private Stream<InstanceRow> others() {
        return live.stream()
                .map(Watch::instance)
                .filter(row -> row.number() != registration.number && !row.stopping())
                .filter(row -> !row.queues().isEmpty());
    }

    /**
     * Returns a number that grows whenever instances may have disappeared from the register. Such instances may have
     * left rows behind.
     */
    public int departures() {
        return departures.get();
    }

    /**
     * Returns how many live instances divide the partitions of this queue. Other instances that are stopping do not
     * count. If no instance runs jobs of the queue, all instances that run jobs share the partitions.
     *
     * @return 0 if only other instances run jobs of the queue
     */
    public int sharersOf(String queue) {
        List<InstanceRow> others = others().toList();
        int workers = (int)
                others.stream().filter(row -> row.queues().contains(queue)).count();
        if (registration.queues.contains(queue)) {
            return workers + 1;
        }
        return workers == 0 ? others.size() + 1 : 0;
    }

    public void stopping() {
        stopping = true;
    }

    /** Call this method only when no attempt of this instance is under way. */
    public void leave() {
        long number = registration.number;
        if (number != 0) {
            registration = Registration.NONE;
            store.deregister(number);
        }
    }

    private record Registration(long number, Set<String> queues, long trustedUntilNanos) {
        static final Registration NONE = new Registration(0, Set.of(), 0);
    }
}
