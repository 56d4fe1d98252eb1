package io.delayjob.dispatch;

import io.delayjob.complete.Completer;
import io.delayjob.complete.Completions;
import io.delayjob.complete.EndedAttempt;
import io.delayjob.event.JobListeners;
import io.delayjob.handler.Handler;
import io.delayjob.handler.HandlerRegistry;
import io.delayjob.handler.PayloadCodec;
import io.delayjob.job.Capacity;
import io.delayjob.job.DueIntake;
import io.delayjob.job.DueRow;
import io.delayjob.job.Failure;
import io.delayjob.job.Job;
import io.delayjob.job.JobOutcome;
import io.delayjob.schedule.Misfire;
import io.delayjob.store.JobStore;
import io.delayjob.time.Agent;
import io.delayjob.time.EngineClock;
import java.time.Duration;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Deque;
import java.util.List;
import java.util.Map;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.Executor;
import java.util.concurrent.RejectedExecutionException;
import java.util.concurrent.locks.Condition;
import java.util.concurrent.locks.ReentrantLock;
import java.util.function.LongSupplier;
import java.util.function.Predicate;
import java.util.function.ToIntFunction;
import java.util.random.RandomGenerator;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Claims due rows in batches and makes an attempt of each.
 *
 * <p>While one claim is under way the next rows gather, so batches form by themselves under load, and a lone job goes at
 * once. A claim whose outcome is unknown, and one that could not be started, is released, and the release repeated until it
 * is answered; nothing else is claimed before.
 *
 * <p>One agent thread claims; workers make the attempts; a second agent, {@link #timeouts()}, watches over them.
 */
public final class Dispatcher implements Agent, DueIntake {

    private static final Logger log = LoggerFactory.getLogger(Dispatcher.class);

    /** Rows that a claim passed over because somebody had them locked are offered once more after this. */
    private static final long REOFFER_NANOS = Duration.ofMillis(50).toNanos();

    /** A claimed job without a slot for so long is better off with another instance. */
    private static final Duration OVERSTAY = Duration.ofSeconds(1);

    /** How long to wait for what somebody else has to bring about: a heartbeat, the completer. */
    private static final long PATIENCE_NANOS = Duration.ofMillis(10).toNanos();

    /** A claimed job is a promise: with so many batches waiting to be written, no more is promised. */
    private static final int MAX_BACKLOG_BATCHES = 8;

    private final Lanes lanes;
    private final JobStore store;
    private final HandlerRegistry handlers;
    private final PayloadCodec codec;
    private final Completions completions;
    private final Completer completer;
    private final Runnable wakeCompleter;
    private final LongSupplier owner;
    private final StartPermit permit;
    private final Executor workers;
    private final EngineClock clock;
    private final RandomGenerator random;
    private final JobListeners listeners;
    private final DispatchSettings settings;
    private final Runnable wake;
    private final Runnable wakeTimeouts;
    private final TimeoutWatch timeouts;

    private final ConcurrentLinkedQueue<Job> returned = new ConcurrentLinkedQueue<>();
    private final Deque<Release> releases = new ArrayDeque<>();
    private final Deque<Reoffer> reoffers = new ArrayDeque<>();

    private final ReentrantLock idleLock = new ReentrantLock();
    private final Condition attemptEnded = idleLock.newCondition();

    /**
     * @param concurrency slots of a queue, by its name
     * @param enabled whether a queue is worked here
     * @param maxReady most due rows kept in memory
     * @param onRoom called when there is room again for overdue rows
     * @param owner this instance's number; 0 while it has none
     * @param wake wakes this agent
     * @param wakeTimeouts wakes {@link #timeouts()}
     * @param wakeCompleter wakes the completer
     */
    public Dispatcher(
            JobStore store,
            HandlerRegistry handlers,
            PayloadCodec codec,
            Completions completions,
            Completer completer,
            LongSupplier owner,
            StartPermit permit,
            Executor workers,
            EngineClock clock,
            RandomGenerator random,
            JobListeners listeners,
            DispatchSettings settings,
            ToIntFunction<String> concurrency,
            Predicate<String> enabled,
            Duration sweepInterval,
            int maxReady,
            Runnable onRoom,
            Runnable wake,
            Runnable wakeTimeouts,
            Runnable wakeCompleter) {
        this.lanes = new Lanes(handlers, concurrency, enabled, clock, sweepInterval, maxReady, onRoom);
        this.store = store;
        this.handlers = handlers;
        this.codec = codec;
        this.completions = completions;
        this.completer = completer;
        this.wakeCompleter = wakeCompleter;
        this.owner = owner;
        this.permit = permit;
        this.workers = workers;
        this.clock = clock;
        this.random = random;
        this.listeners = listeners;
        this.settings = settings;
        this.wake = wake;
        this.wakeTimeouts = wakeTimeouts;
        this.timeouts = new TimeoutWatch(clock, settings.interruptGrace(), this::writeOff);
    }

    // ---- due

    @Override
    public List<DueRow> offer(List<DueRow> rows) {
        List<DueRow> refused = lanes.offer(rows);
        wake.run();
        return refused;
    }

    /** What preload may keep per name. */
    public Capacity capacity() {
        return lanes;
    }

    // ---- claim

    @Override
    public String roleName() {
        return "claim";
    }

    @Override
    public long doWork() {
        release();
        reoffer();
        long number = owner.getAsLong();
        if (!permit.mayStart(number) || completer.backlog() > MAX_BACKLOG_BATCHES * settings.batchSize()) {
            return lanes.ready() > 0 ? PATIENCE_NANOS : pause();
        }
        List<DueRow> rows = lanes.toClaim(settings.batchSize());
        if (!rows.isEmpty()) {
            claim(rows, number);
        }
        start();
        return lanes.hasClaimable() ? 0 : pause();
    }

    private void claim(List<DueRow> rows, long number) {
        long token = random.nextLong();
        List<Job> jobs;
        try {
            jobs = store.claim(rows, number, token, clock.storeTime());
        } catch (RuntimeException unknown) {
            // It may have been applied. The rows stay known and pending until their release is answered.
            releases.add(new Release(rows, token, true));
            throw unknown;
        }
        List<DueRow> passedOver = lanes.claimed(rows, jobs);
        if (!passedOver.isEmpty()) {
            reoffers.add(new Reoffer(passedOver, clock.nanoTime() + REOFFER_NANOS));
        }
    }

    private void release() {
        lanes.overstayed(clock.storeTime().minus(OVERSTAY)).forEach(returned::add);
        List<DueRow> unstarted = new ArrayList<>();
        Job job;
        while ((job = returned.poll()) != null) {
            unstarted.add(job.toDueRow());
        }
        if (!unstarted.isEmpty()) {
            releases.add(new Release(unstarted, unstarted.get(0).token(), false));
        }
        Release next;
        while ((next = releases.peek()) != null) {
            store.release(next.rows, next.claimToken, random.nextLong());
            releases.remove();
            if (next.unknownClaim) {
                lanes.claimed(next.rows, List.of());
            }
        }
    }

    private void reoffer() {
        Reoffer next;
        while ((next = reoffers.peek()) != null && clock.nanoTime() - next.atNanos >= 0) {
            reoffers.remove();
            // Only once: what is passed over again, the sweep finds if it is still there.
            lanes.offer(next.rows);
        }
    }

    private long pause() {
        Reoffer next = reoffers.peek();
        long untilReoffer = next == null ? UNTIL_WOKEN : Math.max(next.atNanos - clock.nanoTime(), 0);
        return lanes.hasClaimed() ? Math.min(untilReoffer, OVERSTAY.toNanos() / 2) : untilReoffer;
    }

    // ---- attempt

    private void start() {
        lanes.toStart().forEach(this::execute);
    }

    private void execute(Job job) {
        try {
            workers.execute(() -> work(job));
        } catch (RejectedExecutionException stopping) {
            giveBack(job);
            lanes.finished(job, -1);
        }
    }

    /** One worker makes attempts as long as there are claimed jobs of its queue. */
    private void work(Job first) {
        Job job = first;
        while (job != null) {
            job = attempt(job);
        }
        if (lanes.hasClaimable()) {
            wake.run();
        }
    }

    /**
     * One attempt, from claimed to ended.
     *
     * @return the job that has got this worker's slot next; {@code null} when the slot is free, or still taken
     */
    private @Nullable Job attempt(Job job) {
        Handler handler = handlers.find(job.name());
        if (handler == null || !permit.mayStart(job.owner())) {
            return withoutCall(job, () -> giveBack(job));
        }
        Plan plan;
        List<@Nullable Object> arguments;
        try {
            plan = Plan.of(job, handler, settings.retry(), settings.timeout());
            arguments = codec.decode(handler.parameters(), job.payload());
        } catch (RuntimeException unreadable) {
            return withoutCall(job, () -> unreadable(job, handler, unreadable));
        }
        Failure lost = lostTooOften(job, plan);
        if (lost != null) {
            return withoutCall(job, () -> complete(job, plan, new JobOutcome.Failed(lost, false), null, Duration.ZERO));
        }
        Misfire misfire = judge(job, plan);
        if (misfire instanceof Misfire.Skipped skipped) {
            return withoutCall(job, () -> complete(job, plan, new JobOutcome.Skipped(skipped), null, Duration.ZERO));
        }
        Misfire.Merged merged = misfire instanceof Misfire.Merged m ? m : null;
        Job made = merged == null ? job : job.atRun(merged.run(), merged.planned());
        return call(new Attempt(made, plan, merged, clock.nanoTime()), arguments);
    }

    private @Nullable Job withoutCall(Job job, Runnable instead) {
        instead.run();
        return lanes.finished(job, -1);
    }

    private void giveBack(Job job) {
        returned.add(job);
        wake.run();
    }

    private void unreadable(Job job, Handler handler, RuntimeException cause) {
        Duration overdue = Duration.between(job.dueAt(), clock.storeTime());
        if (overdue.compareTo(settings.unreadableAfter()) < 0) {
            log.warn(
                    "Job {} ({}) cannot be read here and is left to other instances; in {} it will be FAILED: {}",
                    job.id(),
                    job.name(),
                    settings.unreadableAfter().minus(overdue),
                    cause.toString());
            lanes.setAside(job.id());
            giveBack(job);
            return;
        }
        Plan bare = new Plan(handler, null, settings.retry(), false, null);
        complete(job, bare, new JobOutcome.Failed(Failure.of(cause), false), null, Duration.ZERO);
    }

    /** Whoever rescues a row need not know its handler, so whoever claims it judges whether it was lost too often. */
    private @Nullable Failure lostTooOften(Job job, Plan plan) {
        if (job.rescues() == 0) {
            return null;
        }
        boolean exhausted = plan.retry().delayBefore(job.failures(), random).isEmpty();
        if (plan.mayRetryLost() && !exhausted) {
            return null;
        }
        return Failure.of(
                "LostWithInstance",
                "%d of %d failed attempts of run %d ended with the death or silence of their instance"
                        .formatted(job.rescues(), job.failures(), job.run()));
    }

    private @Nullable Misfire judge(Job job, Plan plan) {
        return plan.schedule() == null || !job.isFirstAttemptOfRun()
                ? null
                : plan.schedule().judge(job.scheduledAt(), job.run(), job.plannedAt(), clock.storeTime());
    }

    private @Nullable Job call(Attempt attempt, List<@Nullable Object> arguments) {
        Job job = attempt.job();
        if (timeouts.add(attempt)) {
            wakeTimeouts.run();
        }
        Duration lateness =
                Duration.ofNanos(clock.nanoTime() - clock.nanoTimeAt(job.dueAt().toEpochMilli()));
        listeners.tell(l -> l.started(job, lateness));
        Worker worker = new Worker();
        attempt.call(arguments, (ended, outcome) -> ended(ended, outcome, worker));
        return worker.leave();
    }

    private void ended(Attempt attempt, JobOutcome outcome, Worker worker) {
        timeouts.remove(attempt);
        Duration took = Duration.ofNanos(clock.nanoTime() - attempt.startedNanos());
        if (attempt.end()) {
            complete(attempt.job(), attempt.plan(), outcome, attempt.merged(), took);
        } else {
            completer.addLateEnd(attempt.id());
            wakeCompleter.run();
        }
        Job next = lanes.finished(attempt.job(), took.toNanos());
        signalEnd();
        if (!worker.handOver(next) && next != null) {
            execute(next);
        }
        if (next == null) {
            wake.run();
        }
    }

    private void writeOff(Attempt attempt) {
        if (attempt.writeOff()) {
            log.warn(
                    "Job {} ({}) did not end within its time-out of {} and is written off; its thread keeps its slot until it ends.",
                    attempt.id(),
                    attempt.name(),
                    attempt.plan().timeout());
            Duration took = Duration.ofNanos(clock.nanoTime() - attempt.startedNanos());
            complete(attempt.job(), attempt.plan(), attempt.writtenOff(), attempt.merged(), took);
        }
    }

    private void complete(Job job, Plan plan, JobOutcome outcome, Misfire.@Nullable Merged merged, Duration took) {
        completer.add(new EndedAttempt(completions.of(job, plan.schedule(), outcome, plan.retry(), merged), took));
        wakeCompleter.run();
    }

    /** The agent that interrupts and writes off attempts whose time is up. */
    public Agent timeouts() {
        return timeouts;
    }

    // ---- observe and stop

    /** Rows that are due here and not claimed. */
    public int ready() {
        return lanes.ready();
    }

    /** Attempts under way. */
    public int running() {
        return timeouts.running().size();
    }

    /** Worker slots by queue. */
    public Map<String, SlotUse> slotUse() {
        return lanes.slotUse();
    }

    /**
     * Stops in good order: no further claim, what was claimed and not started is released, attempts may end within the
     * grace and are then interrupted. The claim agent must have been stopped before; the completer must still work.
     *
     * @return whether every attempt has ended
     */
    public boolean stop(Duration grace, Duration afterInterrupt) {
        lanes.close().forEach(returned::add);
        boolean ended = awaitEnds(grace);
        if (!ended) {
            log.warn("{} attempts did not end within {}; they are interrupted.", running(), grace);
            timeouts.running().forEach(Attempt::interrupt);
            ended = awaitEnds(afterInterrupt);
        }
        release();
        return ended;
    }

    private boolean awaitEnds(Duration atMost) {
        idleLock.lock();
        try {
            long left = atMost.toNanos();
            while (running() > 0 && left > 0) {
                left = attemptEnded.awaitNanos(left);
            }
        } catch (InterruptedException stopNow) {
            Thread.currentThread().interrupt();
        } finally {
            idleLock.unlock();
        }
        return running() == 0;
    }

    private void signalEnd() {
        idleLock.lock();
        try {
            attemptEnded.signalAll();
        } finally {
            idleLock.unlock();
        }
    }

    /** Passes the next job from the end of an attempt to the worker that made it, as long as it is still there. */
    private static final class Worker {

        private @Nullable Job next;
        private boolean gone;

        synchronized boolean handOver(@Nullable Job job) {
            if (gone) {
                return false;
            }
            next = job;
            return true;
        }

        synchronized @Nullable Job leave() {
            gone = true;
            return next;
        }
    }

    private record Release(List<DueRow> rows, long claimToken, boolean unknownClaim) {}

    private record Reoffer(List<DueRow> rows, long atNanos) {}
}
