package io.delayjob.dispatch;

import static java.util.Objects.requireNonNull;

import io.delayjob.complete.Completer;
import io.delayjob.complete.Completions;
import io.delayjob.complete.EndedAttempt;
import io.delayjob.event.JobListeners;
import io.delayjob.event.LogThrottle;
import io.delayjob.handler.Delivery;
import io.delayjob.handler.Handler;
import io.delayjob.handler.HandlerRegistry;
import io.delayjob.handler.InvalidPayloadException;
import io.delayjob.handler.PayloadCodec;
import io.delayjob.job.Completion;
import io.delayjob.job.Failure;
import io.delayjob.job.Job;
import io.delayjob.job.JobId;
import io.delayjob.job.JobOutcome;
import io.delayjob.job.OversizePayload;
import io.delayjob.schedule.Misfire;
import io.delayjob.schedule.Schedule;
import io.delayjob.store.CompletionResult;
import io.delayjob.store.HandlerTransactions;
import io.delayjob.store.StoreException;
import io.delayjob.time.EngineClock;
import io.delayjob.time.ReadableDuration;
import java.time.Duration;
import java.util.Comparator;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.Executor;
import java.util.concurrent.locks.Condition;
import java.util.concurrent.locks.ReentrantLock;
import java.util.function.Supplier;
import java.util.random.RandomGenerator;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Makes an attempt of each claimed job, on a worker: may it start, can it be read, was it lost too often, was it
 * missed, call it, complete it. Thread-safe.
 */
public final class Attempts implements Attempt.Ends {

    private static final Logger log = LoggerFactory.getLogger(Attempts.class);

    /** In place of a pace, for an attempt that never reached its handler. */
    private static final long NOT_CALLED = -1;

    /** A job that was due is ahead of its time by more than this only when the store's clock was set back. */
    private static final long SET_BACK_MILLIS = 250;

    private static final int MOST_NAMED = 20;

    /** In place of a pace, for an attempt that ends later, when the handler's stage does. */
    private static final long STILL_UNDER_WAY = -2;

    private final Lanes lanes;
    private final HandlerRegistry handlers;
    private final PayloadCodec codec;
    private final StartPermit permit;
    private final Completions completions;
    private final Completer completer;
    private final TimeoutWatch timeouts;
    private final Executor workers;
    private final EngineClock clock;
    private final RandomGenerator random;
    private final JobListeners listeners;
    private final AttemptDefaults defaults;
    private final HandlerTransactions transactions;

    private final LogThrottle unreadables = new LogThrottle();
    private final LogThrottle noTransactions = new LogThrottle();
    private final LogThrottle noWorkers = new LogThrottle();

    /**
     * Jobs with an attempt that was written off here and has not ended: each has cost a slot, and may not cost another.
     */
    private final Set<JobId> overrunning = ConcurrentHashMap.newKeySet();

    /** Calls of atomic handlers; those that wait for their transaction are not among the running yet. */
    private final Set<AtomicCall> atomicCalls = ConcurrentHashMap.newKeySet();

    /** Jobs whose cancellation was asked for and which may have been held here without having begun. */
    private volatile Set<JobId> toBeCancelled = Set.of();

    private volatile boolean recalling;

    private final ReentrantLock endLock = new ReentrantLock();
    private final Condition slotLeft = endLock.newCondition();

    public Attempts(
            Lanes lanes,
            HandlerRegistry handlers,
            PayloadCodec codec,
            StartPermit permit,
            Completions completions,
            Completer completer,
            TimeoutWatch timeouts,
            Executor workers,
            EngineClock clock,
            RandomGenerator random,
            JobListeners listeners,
            AttemptDefaults defaults,
            HandlerTransactions transactions) {
        this.lanes = lanes;
        this.handlers = handlers;
        this.codec = codec;
        this.permit = permit;
        this.completions = completions;
        this.completer = completer;
        this.timeouts = timeouts;
        this.workers = workers;
        this.clock = clock;
        this.random = random;
        this.listeners = listeners;
        this.defaults = defaults;
        this.transactions = transactions;
    }

    /** Starts jobs that were claimed and have a slot. */
    void start(List<Job> jobs) {
        jobs.forEach(this::execute);
    }

    private void execute(Job claimed) {
        Job job = claimed;
        while (job != null) {
            Job first = job;
            try {
                workers.execute(() -> work(first));
                return;
            } catch (RuntimeException | Error noWorker) {
                noWorkers
                        .admit(first.name(), clock.nanoTime())
                        .ifPresent(before -> log.warn(
                                "Job {} ({}) found no worker and is released, as were {} of that name not mentioned before: {}",
                                first.id(),
                                first.name(),
                                before,
                                noWorker.toString()));
                job = giveBack(first);
            }
        }
    }

    /** One worker makes attempts as long as there are claimed jobs of its queue. */
    private void work(Job first) {
        Job job = first;
        while (job != null) {
            job = attempt(job);
        }
    }

    /**
     * One attempt, from claimed to ended.
     *
     * @return the job that has got this worker's slot next; {@code null} when the slot is free, or still taken
     */
    private @Nullable Job attempt(Job job) {
        long tookNanos = NOT_CALLED;
        try {
            tookNanos = make(job);
        } catch (Throwable broken) {
            // Not the handler's doing: no memory is left, or there is a mistake here. The slot must come free all the
            // same.
            abandon(job, broken);
        }
        return tookNanos == STILL_UNDER_WAY ? null : leave(job, tookNanos);
    }

    /** Makes the attempt; answers how long the handler took. */
    private long make(Job job) {
        Handler handler = handlers.find(job.name());
        if (handler == null || recalling || isFarAhead(job)) {
            lanes.giveBack(job);
            return NOT_CALLED;
        }
        if (overrunning.contains(job.id())) {
            lanes.setAside(job);
            return NOT_CALLED;
        }
        AttemptRules rules;
        List<@Nullable Object> arguments;
        Misfire misfire;
        JobOutcome foregone;
        try {
            rules = AttemptRules.of(job, handler, defaults);
            arguments = read(job, handler);
            misfire = judge(job, rules);
            foregone = foregone(job, rules, misfire);
        } catch (RuntimeException | Error unreadable) {
            unreadable(job, handler, unreadable);
            return NOT_CALLED;
        }
        if (foregone != null) {
            complete(job, rules, foregone, null, Duration.ZERO);
            return NOT_CALLED;
        }
        if (!permit.mayStart(job.owner()) || lanes.isPaused(job)) {
            // Asked last: whatever came before may have taken longer than others wait for this instance.
            lanes.giveBack(job);
            return NOT_CALLED;
        }
        Misfire.Merged merged = misfire instanceof Misfire.Merged m ? m : null;
        Job made = merged == null ? job : job.atRun(merged.run(), merged.planned());
        return handler.atomic()
                ? callAtomically(made, rules, merged, arguments)
                : call(begin(made, rules, merged), arguments);
    }

    private List<@Nullable Object> read(Job job, Handler handler) {
        OversizePayload oversize = job.oversize();
        if (oversize != null) {
            throw new InvalidPayloadException(oversize.message());
        }
        return codec.decode(handler.parameters(), job.payload());
    }

    /** Whether the store's clock was set back while it waited for its slot. */
    private boolean isFarAhead(Job job) {
        return job.dueAt().toEpochMilli() - clock.storeMillis() > SET_BACK_MILLIS;
    }

    /** From here on its time runs. */
    private Attempt begin(Job job, AttemptRules rules, Misfire.@Nullable Merged merged) {
        Attempt attempt = new Attempt(job, rules, merged, clock.nanoTime(), this);
        timeouts.add(attempt);
        if (recalling) {
            attempt.recall();
        }
        if (toBeCancelled.contains(job.id())) {
            attempt.requestCancel();
        }
        tellStarted(job);
        return attempt;
    }

    private @Nullable Job giveBack(Job job) {
        lanes.giveBack(job);
        return leave(job, NOT_CALLED);
    }

    /** Leaves the slot; answers the job that has got it. */
    private @Nullable Job leave(Job job, long tookNanos) {
        Job next = lanes.finished(job, tookNanos);
        signalEnd();
        return next;
    }

    private void unreadable(Job job, Handler handler, Throwable cause) {
        Duration overdue = Duration.between(job.dueAt(), clock.storeTime());
        if (overdue.compareTo(defaults.unreadableAfter()) >= 0) {
            AttemptRules bare = new AttemptRules(handler, null, defaults.retry(), false, defaults.maxSnooze(), null);
            complete(job, bare, new JobOutcome.Failed(Failure.of(cause), false, cause), null, Duration.ZERO);
            return;
        }
        unreadables
                .admit(job.name(), clock.nanoTime())
                .ifPresent(before -> log.warn(
                        "Job {} ({}) cannot be read here and is left to other instances, as were {} of that name not mentioned before; in {} it will be FAILED: {}",
                        job.id(),
                        job.name(),
                        before,
                        ReadableDuration.of(defaults.unreadableAfter().minus(overdue)),
                        cause.toString()));
        lanes.setAside(job);
    }

    /** What is decided without calling the handler; {@code null} when it is to be called. */
    private @Nullable JobOutcome foregone(Job job, AttemptRules rules, Misfire misfire) {
        // Whoever rescues a row need not know its handler, so whoever claims it judges whether it was lost too often.
        boolean lostTooOften = job.rescues() > 0
                && (!rules.mayRetryLost()
                        || rules.retry().delayBefore(job.failures(), random).isEmpty());
        if (lostTooOften) {
            Failure failure = Failure.of(
                    "LostWithInstance",
                    "%d of %d failed attempts of run %d ended with the death or silence of their instance"
                            .formatted(job.rescues(), job.failures(), job.run()));
            return new JobOutcome.Failed(failure, false);
        }
        return misfire instanceof Misfire.Skipped skipped ? new JobOutcome.Skipped(skipped) : null;
    }

    private Misfire judge(Job job, AttemptRules rules) {
        Schedule schedule = rules.schedule();
        return schedule == null || !rules.isFirstAttempt(job)
                ? new Misfire.Proceed()
                : schedule.judge(job.scheduledAt(), job.run(), job.plannedAt(), clock.storeTime());
    }

    private long call(Attempt attempt, List<@Nullable Object> arguments) {
        boolean over = attempt.call(arguments);
        return over ? took(attempt).toNanos() : STILL_UNDER_WAY;
    }

    private void tellStarted(Job job) {
        Duration lateness =
                Duration.ofNanos(clock.nanoTime() - clock.nanoTimeAt(job.dueAt().toEpochMilli()));
        listeners.tell(l -> l.started(job, lateness));
    }

    /**
     * As what the handler has written, its end is written by the time that this returns, or rolled back. The attempt
     * begins once it has its transaction: to wait for a connection takes none of its time.
     */
    private long callAtomically(
            Job job, AttemptRules rules, Misfire.@Nullable Merged merged, List<@Nullable Object> arguments) {
        // What came before may have taken longer than others wait for this instance, the connection above all.
        Supplier<@Nullable Attempt> beginning =
                () -> recalling || isFarAhead(job) || !permit.mayStart(job.owner()) || lanes.isPaused(job)
                        ? null
                        : begin(job, rules, merged);
        AtomicCall call = new AtomicCall(beginning, arguments, completions, clock);
        atomicCalls.add(call);
        if (recalling) {
            call.recall();
        }
        try {
            CompletionResult result = transactions.complete(call, rules.timeout());
            Attempt attempt = requireNonNull(call.attempt());
            completer.addDecided(new EndedAttempt(requireNonNull(call.end()), took(attempt)), result);
        } catch (Throwable thrown) {
            Attempt attempt = call.attempt();
            if (attempt != null) {
                rolledBack(attempt, call.end(), thrown);
            } else if (call.isRecalled()) {
                lanes.giveBack(job);
            } else {
                notBegun(job, rules, merged, thrown);
            }
        } finally {
            atomicCalls.remove(call);
            call.leave();
        }
        Attempt attempt = call.attempt();
        if (attempt == null) {
            return NOT_CALLED;
        }
        timeouts.remove(attempt);
        return took(attempt).toNanos();
    }

    private void notBegun(Job job, AttemptRules rules, Misfire.@Nullable Merged merged, Throwable thrown) {
        boolean noTransaction = thrown instanceof StoreException failure && failure.isTransient();
        if (noTransaction) {
            noTransactions
                    .admit(job.name(), clock.nanoTime())
                    .ifPresent(before -> log.warn(
                            "Job {} ({}) could not be given a transaction and is released, as were {} of that name not mentioned before: {}",
                            job.id(),
                            job.name(),
                            before,
                            thrown.getMessage()));
        }
        if (noTransaction || thrown instanceof AtomicCall.NotCalledException) {
            lanes.giveBack(job);
        } else {
            new Attempt(job, rules, merged, clock.nanoTime(), this).fail(thrown);
        }
    }

    private void rolledBack(Attempt attempt, @Nullable Completion end, Throwable thrown) {
        if (end != null) {
            // Unless it is only the answer that was lost: whether the transaction was committed, the row tells.
            completer.addDoubtful(ended(attempt, uncommitted(attempt, thrown)), end);
        } else if (thrown instanceof AtomicCall.RefusedAnswerException refused) {
            attempt.end(refused.outcome());
        } else {
            attempt.fail(thrown);
        }
    }

    /** What the store could not commit is no exception of the handler's: which of those are retried does not matter. */
    private static JobOutcome uncommitted(Attempt attempt, Throwable thrown) {
        boolean ofStore = thrown instanceof StoreException failure && failure.isTransient();
        return ofStore
                ? new JobOutcome.Failed(Failure.of(thrown), attempt.rules().mayRetryLost())
                : attempt.failed(thrown);
    }

    /** What may be started twice goes back; all else is found when this instance has stopped. */
    private void abandon(Job job, Throwable broken) {
        try {
            Handler handler = handlers.find(job.name());
            if (handler == null || handler.delivery() == Delivery.AT_LEAST_ONCE) {
                lanes.giveBack(job);
            }
            log.error("The attempt at job {} ({}) broke off within delayjob.", job.id(), job.name(), broken);
        } catch (Throwable stillBroken) {
            // No memory is left even to say so: what matters is that the slot comes free.
        }
    }

    @Override
    public void ended(Attempt attempt, JobOutcome outcome, boolean writtenOff) {
        try {
            if (writtenOff) {
                overrunning.remove(attempt.id());
                completer.addLateEnd(attempt.id());
            } else {
                record(attempt, outcome);
            }
        } finally {
            timeouts.remove(attempt);
        }
    }

    private void record(Attempt attempt, JobOutcome outcome) {
        try {
            JobOutcome bounded = attempt.rules().bounded(outcome, attempt.job(), clock.storeTime());
            complete(attempt.job(), attempt.rules(), bounded, attempt.merged(), took(attempt));
        } catch (Throwable broken) {
            Failure failure = Failure.of("NotRecorded", "how it ended could not be recorded: " + broken);
            boolean retriable = attempt.rules().mayRetryLost();
            complete(
                    attempt.job(),
                    attempt.rules(),
                    new JobOutcome.Failed(failure, retriable),
                    attempt.merged(),
                    took(attempt));
        }
    }

    @Override
    public void recalled(Attempt attempt) {
        lanes.giveBack(attempt.job());
        timeouts.remove(attempt);
    }

    @Override
    public void leftLater(Attempt attempt) {
        Job next = leave(attempt.job(), took(attempt).toNanos());
        if (next != null) {
            execute(next);
        }
    }

    @Override
    public void writtenOff(Attempt attempt, JobOutcome.TimedOut outcome) {
        log.warn(
                "Job {} ({}) did not end within its time-out of {} and is written off; its thread keeps its slot until it ends, and only other instances try the job again until then.",
                attempt.id(),
                attempt.name(),
                ReadableDuration.of(requireNonNull(attempt.rules().timeout())));
        overrunning.add(attempt.id());
        complete(attempt.job(), attempt.rules(), outcome, attempt.merged(), took(attempt));
    }

    private Duration took(Attempt attempt) {
        return Duration.ofNanos(clock.nanoTime() - attempt.startedNanos());
    }

    private void complete(
            Job job, AttemptRules rules, JobOutcome outcome, Misfire.@Nullable Merged merged, Duration took) {
        completer.add(ended(job, rules, outcome, merged, took));
    }

    private EndedAttempt ended(Attempt attempt, JobOutcome outcome) {
        return ended(attempt.job(), attempt.rules(), outcome, attempt.merged(), took(attempt));
    }

    private EndedAttempt ended(
            Job job, AttemptRules rules, JobOutcome outcome, Misfire.@Nullable Merged merged, Duration took) {
        return new EndedAttempt(completions.of(job, rules.schedule(), outcome, rules.retry(), merged), took);
    }

    /**
     * Lets those of these jobs that are under way, or begin before the next call, know that somebody has asked to
     * cancel them.
     *
     * @return the jobs of which nothing is left to be told: those under way, and those that no attempt is made of any
     *     more
     */
    public Set<JobId> requestCancel(Set<JobId> jobs) {
        Set<JobId> held = lanes.held(jobs);
        // Whoever begins later sees this; whoever has begun before is among the running.
        toBeCancelled = held;
        Set<JobId> told = new HashSet<>(jobs);
        told.removeAll(held);
        for (Attempt attempt : timeouts.running()) {
            if (jobs.contains(attempt.id())) {
                attempt.requestCancel();
                told.add(attempt.id());
            }
        }
        return told;
    }

    /** Attempts under way. */
    public int running() {
        return timeouts.running().size();
    }

    /** Attempts that were written off and have not ended, the oldest first. */
    public List<StuckAttempt> stuck() {
        return timeouts.running().stream()
                .filter(Attempt::isWrittenOff)
                .map(attempt ->
                        new StuckAttempt(attempt.id(), attempt.name(), attempt.run(), attempt.attempt(), took(attempt)))
                .sorted(Comparator.comparing(StuckAttempt::lasting).reversed())
                .toList();
    }

    /**
     * Waits until every slot is free, interrupts the attempts that have not ended by then, and waits a little longer.
     */
    public Drained drain(Duration grace, Duration afterInterrupt) {
        int late = awaitFreeSlots(grace);
        if (late == 0) {
            return new Drained(0, 0);
        }
        log.warn(
                "{} attempts did not end within {}; they are interrupted: {}",
                late,
                ReadableDuration.of(grace),
                underWay());
        // Whoever comes later sees this; whoever has come before is among the running.
        recalling = true;
        atomicCalls.forEach(AtomicCall::recall);
        timeouts.running().forEach(Attempt::recall);
        return new Drained(late, awaitFreeSlots(afterInterrupt));
    }

    /** The attempts under way, by name, for the log: so many at most that they fit a line. */
    public String underWay() {
        List<Attempt> running = timeouts.running().stream()
                .sorted(Comparator.comparing(Attempt::name).thenComparing(Attempt::id))
                .toList();
        String named = running.stream().limit(MOST_NAMED).map(Attempt::toString).collect(Collectors.joining("; "));
        int more = running.size() - MOST_NAMED;
        return more > 0 ? "%s; and %d more".formatted(named, more) : named;
    }

    /** Waits for the slots; answers how many are still taken. */
    private int awaitFreeSlots(Duration atMost) {
        endLock.lock();
        try {
            long left = atMost.toNanos();
            while (lanes.slotsTaken() > 0 && left > 0) {
                left = slotLeft.awaitNanos(left);
            }
        } catch (InterruptedException stopNow) {
            Thread.currentThread().interrupt();
        } finally {
            endLock.unlock();
        }
        return lanes.slotsTaken();
    }

    private void signalEnd() {
        endLock.lock();
        try {
            slotLeft.signalAll();
        } finally {
            endLock.unlock();
        }
    }
}
