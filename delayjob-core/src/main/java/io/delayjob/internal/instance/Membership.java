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
 * Registers this instance, sends its heartbeats and observes those of the others.
 *
 * <p><strong>Who is silent.</strong> An instance whose counter this observer saw unchanged for a full liveness period
 * on its <em>own</em> monotonic clock, during which its own calls to the store were answered without a gap. So neither
 * a clock that was set nor an outage of the database makes anybody pronounce anybody dead. A silent instance is taken
 * out of the register on condition that its counter still stands where it was seen; rows of unregistered owners are
 * then rescued.
 *
 * <p><strong>Who may start.</strong> An instance trusts itself for less than others do: until four fifths of a liveness
 * period after it <em>sent</em> the last heartbeat that was acknowledged. It also starts nothing if it could not read
 * the pauses for that long.
 *
 * <p>One agent thread calls {@link #doWork()}; everything else may be called from any thread.
 */
public final class Membership implements Agent {

    private static final Logger log = LoggerFactory.getLogger(Membership.class);

    private final InstanceStore store;
    private final EngineClock clock;
    private final OwnEntry entry;
    private final long heartbeatNanos;
    private final long livenessNanos;
    private final ClusterListener listener;
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

    /** Number of pauses made through this instance. Guarded by {@link #pausing}. */
    private long pausesHere;

    /**
     * Fingerprint of the pauses that the register confirms for this registration; {@code null} if it is unknown,
     * because an answer was lost.
     */
    private @Nullable Long acknowledged;

    /**
     * @param listener hears of the others, and of what is paused or to be cancelled
     * @param wake wakes this agent
     */
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
        this.wake = wake;
    }

    @Override
    public String roleName() {
        return "heartbeat";
    }

    @Override
    public long doWork() {
        if (registration.number == 0) {
            // What is paused is known before anything may be claimed.
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

    /** Others are looked at more often than they beat, and at the very moment at which one of them would be silent. */
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
                pause = Math.min(pause, watch.getValue().sinceNanos + livenessNanos - now);
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
        log.info("Instance {} registered as number {}.", entry.incarnation(), number);
    }

    private void beat() {
        long request = clock.nanoTime();
        boolean said = stopping;
        OptionalLong storeMicros = store.beat(registration.number, said);
        if (storeMicros.isEmpty()) {
            log.warn(
                    "Instance {} (number {}) was silent for longer than its liveness and was given up by the others."
                            + " It registers again. Running attempts may overlap with their repetition.",
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
            // Not hearing for a while proves nothing about others: every watch starts anew.
            watches.clear();
        }
        // In so long a time somebody may have come, fallen silent and been taken out.
        boolean missedSome = answeredNanos != null && now - answeredNanos >= livenessNanos;
        answeredNanos = now;
        Map<Long, Watch> before = Map.copyOf(watches);
        watches.clear();
        List<Watch> beating = new ArrayList<>();
        for (InstanceRow row : rows) {
            Watch seen = before.get(row.number());
            Watch current =
                    new Watch(row, seen != null && seen.instance.beats() == row.beats() ? seen.sinceNanos : now);
            if (!isSilent(current, now)) {
                watches.put(row.number(), current);
                beating.add(current);
            }
        }
        Map<Long, Boolean> present = standing(beating);
        Map<Long, Boolean> past = standing(live);
        live = List.copyOf(beating);
        if (missedSome || !present.keySet().containsAll(past.keySet())) {
            departures.incrementAndGet();
        }
        if (missedSome || !present.equals(past)) {
            listener.instancesChanged();
        }
    }

    private ClusterView look(long number) {
        long request = clock.nanoTime();
        long pausesBefore = pausesHere();
        ClusterView view = store.look(number);
        Paused seen = view.paused();
        if (!paused().and(seen).equals(seen)) {
            // Otherwise the register would say of a pause that was resumed, and is made again, that it is held.
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

    /** @param pausesBefore number of pauses made here before the look began */
    private void follow(Paused seen, long pausesBefore) {
        synchronized (pausing) {
            if (pausesHere != pausesBefore) {
                // This look may be older than a pause that was confirmed to a caller here. The next look decides.
                wake.run();
                return;
            }
            if (!seen.equals(paused)) {
                paused = seen;
                listener.pausesChanged(seen);
            }
        }
    }

    /**
     * Holds these pauses from now on, before they are read: a caller has made them through this instance, and they are
     * committed. Any thread may call it. Once it returns, no paused job begins here.
     */
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
        // Whoever has just paused something may not have told the lanes yet.
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
        InstanceRow row = watch.instance;
        long silence = now - watch.sinceNanos;
        boolean silent = row.number() != registration.number
                && silence >= livenessNanos
                && store.remove(row.number(), row.beats());
        if (silent) {
            log.warn(
                    "Instance {} (number {}) has been silent for {}; whatever it was running is rescued.",
                    row.incarnation(),
                    row.number(),
                    ReadableDuration.of(Duration.ofNanos(silence)));
        }
        return silent;
    }

    /** Who is there, and who takes work. */
    private static Map<Long, Boolean> standing(List<Watch> instances) {
        return instances.stream()
                .map(Watch::instance)
                .collect(Collectors.toMap(InstanceRow::number, row -> !row.stopping()));
    }

    /** This instance's number; 0 before the first registration was acknowledged. */
    public long number() {
        return registration.number;
    }

    /**
     * Whether an attempt that was claimed under this number may start now: the number is still ours, the last
     * acknowledged heartbeat and the last look at what is paused are young enough, and the machine has not slept since.
     */
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
            // The next answer of the store tells; where somebody has only set the clock, nothing should wait for a
            // heartbeat.
            wake.run();
        }
        return steady;
    }

    /** All instances that are not given up, this one included, as of the last look. */
    public List<Sighting> live() {
        long now = clock.nanoTime();
        return live.stream()
                .map(watch -> sighting(watch.instance, now - watch.sinceNanos))
                .toList();
    }

    /** A beat and a look at it lie less than one and a half pauses between heartbeats apart. */
    private Sighting sighting(InstanceRow row, long silence) {
        return new Sighting(row, Duration.ofNanos(Math.max(0, silence)), silence > 2 * heartbeatNanos);
    }

    /** What is paused, as of the last look. */
    public Paused paused() {
        return paused;
    }

    /** The numbers of the live instances that work some queue and are not stopping, this one left out. */
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
     * How often instances were found to have left the register, in good order or not, or may have done so unseen
     * because this one could not look for too long. Whoever left may have left rows behind.
     */
    public int departures() {
        return departures.get();
    }

    /**
     * How many instances share this queue's partitions: those that are live, work it and are not stopping. This one
     * counts among them whether it was seen yet or not. A queue that nobody works, because its handlers are gone, is
     * shared by all.
     *
     * @return 0 when others work the queue and this instance does not
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

    /** From now on the heartbeats say that this instance takes no more work. */
    public void stopping() {
        stopping = true;
    }

    /** Leaves the register: only when no attempt of this instance is under way any more. */
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

    /** An instance, and since when its counter stands where it stands. */
    private record Watch(InstanceRow instance, long sinceNanos) {}
}
