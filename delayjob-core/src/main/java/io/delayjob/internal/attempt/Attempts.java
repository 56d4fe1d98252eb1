package io.delayjob.internal.attempt;

import static java.util.Objects.requireNonNull;

import io.delayjob.event.LogThrottle;
import io.delayjob.handler.Delivery;
import io.delayjob.job.Job;
import io.delayjob.job.JobId;
import io.delayjob.job.JobLog;
import io.delayjob.job.JobOutcome;
import io.delayjob.status.StuckAttempt;
import io.delayjob.store.HandlerTransactions;
import io.delayjob.store.Vitals;
import io.delayjob.time.EngineClock;
import io.delayjob.time.ReadableDuration;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.Executor;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Makes an attempt of each claimed job that has a slot, on a worker thread. After the attempt, the next job gets the
 * slot. Thread-safe.
 */
public final class Attempts implements Attempt.Ends {

    private static final Logger log = LoggerFactory.getLogger(Attempts.class);

    /** If a claimed job that may start now is due only after more than this time, the store's clock was set back. */
    private static final long SET_BACK_MILLIS = 250;

    private final Standing standing;
    private final Judge judge;
    private final Recorder recorder;
    private final UnderWay underWay;
    private final Workplace workplace;
    private final EngineClock clock;
    private final AtomicInvocation atomic;
    private final LogThrottle unreadables = new LogThrottle();
    private final LogThrottle noWorkers = new LogThrottle();

    private final AtomicInteger slots = new AtomicInteger();

    /** Not {@code null} while a stop waits until all slots are free. */
    private volatile @Nullable CountDownLatch allFree;

    public record Workplace(Executor workers, HandlerTransactions transactions) {}

    public Attempts(
            Standing standing,
            Judge judge,
            Recorder recorder,
            UnderWay underWay,
            Workplace workplace,
            EngineClock clock) {
        this.standing = standing;
        this.judge = judge;
        this.recorder = recorder;
        this.underWay = underWay;
        this.workplace = workplace;
        this.clock = clock;
        this.atomic = new AtomicInvocation(workplace.transactions(), recorder, underWay, clock, this);
    }

    // ---- on a worker

    public void start(List<? extends Assignment> claimed) {
        slots.addAndGet(claimed.size());
        claimed.forEach(this::start);
    }

    private void start(Assignment claimed) {
        Assignment assignment = claimed;
        while (assignment != null) {
            Assignment first = assignment;
            try {
                workplace.workers().execute(() -> work(first));
                return;
            } catch (RuntimeException | Error noWorker) {
                Job job = first.job();
                noWorkers
                        .admit(job.name(), clock.nanoTime())
                        .ifPresent(before -> log.warn(
                                "Job {} ({}) did not start{}, because no worker thread accepted it. "
                                        + "delayjob tries to start the job again. The reason: {}",
                                job.id(),
                                job.name(),
                                LogThrottle.withOthers(before),
                                noWorker.toString()));
                assignment = leave(first, new Made.GivenBack());
            }
        }
    }

    private void work(Assignment first) {
        Assignment assignment = first;
        while (assignment != null) {
            Made made;
            try {
                made = make(assignment);
            } catch (Throwable broken) {
                // The slot must be freed in any case.
                made = brokenOff(assignment, broken);
            }
            assignment = leave(assignment, made);
        }
    }

    private Made make(Assignment assignment) {
        Job job = assignment.job();
        Instant now = clock.storeTime();
        if (!mayBegin(job, now)) {
            return new Made.GivenBack();
        }
        if (underWay.isOverrunning(job.id())) {
            return new Made.SetAside();
        }
        Verdict verdict = judge.of(job, now);
        if (verdict instanceof Verdict.Call call) {
            return call.rules().handler().atomic() ? atomic.make(assignment, call) : makePlainly(assignment, call);
        }
        if (verdict instanceof Verdict.Foregone foregone) {
            recorder.foregone(foregone);
            return new Made.Decided();
        }
        if (verdict instanceof Verdict.Unreadable unreadable) {
            warnOf(job, unreadable);
            return new Made.SetAside();
        }
        return new Made.GivenBack();
    }

    private Made makePlainly(Assignment assignment, Verdict.Call call) {
        Attempt attempt = begin(assignment, call);
        return attempt == null
                ? new Made.GivenBack()
                : attempt.call() ? new Made.Ended(recorder.took(attempt)) : new Made.UnderWay();
    }

    /**
     * Returns {@code null} if the attempt may no longer be made. The method checks this directly before the attempt,
     * because the earlier steps may have taken long.
     */
    @Nullable
    Attempt begin(Assignment assignment, Verdict.Call call) {
        Job job = call.job();
        Instant now = clock.storeTime();
        boolean tooLate = call.rules().mayHaveExpired(job.plannedAt(), clock);
        if (tooLate || !mayBegin(job, now) || !standing.mayStart(job.owner()) || assignment.isPaused()) {
            return null;
        }
        Attempt attempt = new Attempt(assignment, call, clock, this);
        underWay.begin(attempt);
        return attempt;
    }

    void failBeforeBeginning(Assignment assignment, Verdict.Call call, Throwable thrown) {
        new Attempt(assignment, call, clock, this).fail(thrown);
    }

    private boolean mayBegin(Job job, Instant now) {
        return !underWay.isRecalling() && job.dueAt().toEpochMilli() - now.toEpochMilli() <= SET_BACK_MILLIS;
    }

    /** Frees the slot, unless the attempt still needs it. Returns the assignment that has received the slot. */
    private @Nullable Assignment leave(Assignment assignment, Made made) {
        if (made instanceof Made.UnderWay) {
            return null;
        }
        if (made instanceof Made.SetAside) {
            assignment.setAside();
        } else if (made instanceof Made.GivenBack) {
            assignment.giveBack();
        }
        Assignment next = assignment.finished(made instanceof Made.Ended ended ? ended.took() : null);
        if (next == null) {
            slots.decrementAndGet();
            tellIfNoneIsLeft();
        }
        return next;
    }

    private void warnOf(Job job, Verdict.Unreadable verdict) {
        unreadables
                .admit(job.name(), clock.nanoTime())
                .ifPresent(before -> log.warn(
                        "This instance cannot read the payload of job {} ({}), so the job waits for another "
                                + "instance{}. If no instance can read the payload, the job fails in {}. The reason: "
                                + "{}",
                        job.id(),
                        job.name(),
                        LogThrottle.withOthers(before),
                        ReadableDuration.of(verdict.patience()),
                        verdict.cause().toString()));
    }

    /**
     * Releases the job if a second attempt is allowed. Otherwise, other instances rescue the job after this instance
     * has stopped.
     */
    private Made brokenOff(Assignment assignment, Throwable broken) {
        Made made = new Made.Decided();
        try {
            Job job = assignment.job();
            if (judge.delivery(job) == Delivery.AT_LEAST_ONCE) {
                made = new Made.GivenBack();
            }
            log.error(
                    "A bug in delayjob ended an attempt of job {} ({}). {} Please report the bug, with this stack "
                            + "trace.",
                    job.id(),
                    job.name(),
                    made instanceof Made.GivenBack
                            ? "delayjob starts the job again."
                            : "Other instances decide about the job after this instance has stopped.",
                    broken);
        } catch (Throwable stillBroken) {
            // No memory is left, not even for a log line, but the slot must still be freed.
        }
        return made;
    }

    // ---- the ends of attempts

    @Override
    public void ended(Attempt attempt, JobOutcome outcome) {
        try {
            recorder.ended(attempt, outcome);
        } finally {
            underWay.remove(attempt);
        }
    }

    @Override
    public void endedLate(Attempt attempt) {
        underWay.endedLate(attempt);
        recorder.endedLate(attempt.job().id());
    }

    @Override
    public void recalled(Attempt attempt) {
        attempt.assignment.giveBack();
        underWay.remove(attempt);
    }

    @Override
    public void leftLater(Attempt attempt) {
        Assignment next = leave(attempt.assignment, new Made.Ended(recorder.took(attempt)));
        if (next != null) {
            start(next);
        }
    }

    @Override
    public void writtenOff(Attempt attempt, JobOutcome.TimedOut outcome) {
        Job job = attempt.job();
        log.warn(
                "The handler of job {} ({}) still runs after its timeout of {}, although delayjob interrupted its "
                        + "thread. The attempt counts as failed, and the handler occupies a slot until it returns. "
                        + "Until then, {}.",
                job.id(),
                job.name(),
                ReadableDuration.of(requireNonNull(attempt.rules().timeout())),
                job.mutex() == null
                        ? "only other instances may retry the job"
                        : "the job keeps its mutex '" + job.mutex() + "', so no retry starts");
        underWay.overruns(attempt);
        recorder.writtenOff(attempt, outcome);
    }

    // ---- methods for the engine

    /**
     * Tells the attempts of these jobs that a cancellation was requested. Attempts that begin before the next call are
     * told, too.
     *
     * @param held the jobs among {@code jobs} that have an attempt under way on this instance, or may get one
     * @return the jobs for which the caller need not repeat this call
     */
    public Set<JobId> requestCancel(Set<JobId> jobs, Set<JobId> held) {
        return underWay.requestCancel(jobs, held);
    }

    public int running() {
        return underWay.count();
    }

    public List<StuckAttempt> stuck() {
        return underWay.stuck();
    }

    public Vitals.@Nullable LongestRunning longest() {
        return underWay.longest();
    }

    public List<Vitals.Progress> progress() {
        return underWay.progress();
    }

    public List<Vitals.Log> logs() {
        return underWay.logs();
    }

    public Optional<Vitals.Progress> progress(Job job) {
        return underWay.at(job).map(Attempt::progress);
    }

    public Optional<JobLog> log(Job job) {
        return underWay.at(job).map(Attempt::log);
    }

    public String underWay() {
        return underWay.named();
    }

    /**
     * After the grace period, the method interrupts the attempts that have not ended, and waits for at most {@code
     * afterInterrupt}.
     */
    public Drained drain(Duration grace, Duration afterInterrupt) {
        int late = awaitFreeSlots(grace);
        if (late == 0) {
            return new Drained(0, 0);
        }
        log.warn(
                "This instance is stopping, and now interrupts {} attempts that did not end within {}: {}",
                late,
                ReadableDuration.of(grace),
                underWay());
        underWay.recall();
        return new Drained(late, awaitFreeSlots(afterInterrupt));
    }

    private int awaitFreeSlots(Duration atMost) {
        CountDownLatch free = new CountDownLatch(1);
        allFree = free;
        tellIfNoneIsLeft();
        try {
            free.await(atMost.toNanos(), TimeUnit.NANOSECONDS);
        } catch (InterruptedException stopNow) {
            Thread.currentThread().interrupt();
        }
        return slots.get();
    }

    private void tellIfNoneIsLeft() {
        CountDownLatch waits = allFree;
        if (waits != null && slots.get() == 0) {
            waits.countDown();
        }
    }

    /** @param left number of interrupted attempts that are still running; their jobs stay claimed */
    public record Drained(int interrupted, int left) {}
}
