package io.delayjob.internal.dispatch;

import static java.util.Objects.requireNonNull;

import io.delayjob.event.LogThrottle;
import io.delayjob.handler.Delivery;
import io.delayjob.job.Job;
import io.delayjob.job.JobId;
import io.delayjob.job.JobOutcome;
import io.delayjob.status.StuckAttempt;
import io.delayjob.store.HandlerTransactions;
import io.delayjob.store.Vitals;
import io.delayjob.time.EngineClock;
import io.delayjob.time.ReadableDuration;
import java.time.Duration;
import java.util.List;
import java.util.Set;
import java.util.concurrent.Executor;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Makes an attempt of each claimed job that has a slot, on a worker. The steps are the {@linkplain Judge verdict}, the
 * last check before the begin, the call, the end, and the next job for the slot. Thread-safe.
 */
public final class Attempts implements Attempt.Ends {

    private static final Logger log = LoggerFactory.getLogger(Attempts.class);

    /** If a job came due although its due time is further than this in the future, the store's clock was set back. */
    private static final long SET_BACK_MILLIS = 250;

    private final Lanes lanes;
    private final Standing standing;
    private final Judge judge;
    private final Recorder recorder;
    private final UnderWay underWay;
    private final Workplace workplace;
    private final EngineClock clock;
    private final AtomicInvocation atomic;
    private final LogThrottle unreadables = new LogThrottle();
    private final LogThrottle noWorkers = new LogThrottle();

    /**
     * The place where handlers are called.
     *
     * @param transactions transactions in which atomic handlers are called
     */
    public record Workplace(Executor workers, HandlerTransactions transactions) {}

    public Attempts(
            Lanes lanes,
            Standing standing,
            Judge judge,
            Recorder recorder,
            UnderWay underWay,
            Workplace workplace,
            EngineClock clock) {
        this.lanes = lanes;
        this.standing = standing;
        this.judge = judge;
        this.recorder = recorder;
        this.underWay = underWay;
        this.workplace = workplace;
        this.clock = clock;
        this.atomic = new AtomicInvocation(workplace.transactions(), recorder, underWay, clock, this);
    }

    // ---- the worker's way

    /** Starts jobs that were claimed and have a slot. */
    void start(List<Ticket> claimed) {
        claimed.forEach(this::start);
    }

    private void start(Ticket claimed) {
        Ticket ticket = claimed;
        while (ticket != null) {
            Ticket first = ticket;
            try {
                workplace.workers().execute(() -> work(first));
                return;
            } catch (RuntimeException | Error noWorker) {
                Job job = first.job();
                noWorkers
                        .admit(job.name(), clock.nanoTime())
                        .ifPresent(before -> log.warn(
                                "Job {} ({}) found no worker thread and was released{}. The reason: {}",
                                job.id(),
                                job.name(),
                                LogThrottle.withOthers(before),
                                noWorker.toString()));
                ticket = leave(first, new Made.GivenBack());
            }
        }
    }

    /** Makes attempts on one worker while there are claimed jobs of its queue. */
    private void work(Ticket first) {
        Ticket ticket = first;
        while (ticket != null) {
            Made made;
            try {
                made = make(ticket);
            } catch (Throwable broken) {
                // The handler is not the cause. Either there is no memory left, or delayjob has a bug. The slot must
                // come free in any case.
                made = brokenOff(ticket, broken);
            }
            ticket = leave(ticket, made);
        }
    }

    private Made make(Ticket ticket) {
        Job job = ticket.job();
        if (!mayBegin(job)) {
            return new Made.GivenBack();
        }
        if (underWay.isOverrunning(job.id())) {
            return new Made.SetAside();
        }
        Verdict verdict = judge.of(job, clock.storeTime());
        if (verdict instanceof Verdict.Call call) {
            return call.rules().handler().atomic() ? atomic.make(ticket, call) : makePlainly(ticket, call);
        }
        if (verdict instanceof Verdict.Foregone foregone) {
            recorder.foregone(job, foregone);
            return new Made.Decided();
        }
        if (verdict instanceof Verdict.Unreadable unreadable) {
            warnOf(job, unreadable);
            return new Made.SetAside();
        }
        return new Made.GivenBack();
    }

    private Made makePlainly(Ticket ticket, Verdict.Call call) {
        Attempt attempt = begin(ticket, call);
        return attempt == null
                ? new Made.GivenBack()
                : attempt.call() ? new Made.Ended(recorder.took(attempt)) : new Made.UnderWay();
    }

    /**
     * Begins the attempt; {@code null} if it may no longer be made. This check comes last, because the earlier steps may
     * have taken so long that other instances no longer wait for this one.
     */
    @Nullable
    Attempt begin(Ticket ticket, Verdict.Call call) {
        Job job = call.job();
        if (!mayBegin(job) || !standing.mayStart(job.owner()) || ticket.lane.paused) {
            return null;
        }
        Attempt attempt = new Attempt(ticket, call, clock.nanoTime(), this);
        underWay.begin(attempt);
        return attempt;
    }

    /** Records the failure of an attempt that has not begun. */
    void failBeforeBeginning(Ticket ticket, Verdict.Call call, Throwable thrown) {
        new Attempt(ticket, call, clock.nanoTime(), this).fail(thrown);
    }

    private boolean mayBegin(Job job) {
        return !underWay.isRecalling() && job.dueAt().toEpochMilli() - clock.storeMillis() <= SET_BACK_MILLIS;
    }

    /** Frees the slot, unless the attempt still needs it. Returns the ticket that has got the slot. */
    private @Nullable Ticket leave(Ticket ticket, Made made) {
        if (made instanceof Made.UnderWay) {
            return null;
        }
        if (made instanceof Made.SetAside) {
            lanes.setAside(ticket);
        } else if (made instanceof Made.GivenBack) {
            lanes.giveBack(ticket);
        }
        return lanes.finished(ticket, made instanceof Made.Ended ended ? ended.took() : null);
    }

    private void warnOf(Job job, Verdict.Unreadable verdict) {
        unreadables
                .admit(job.name(), clock.nanoTime())
                .ifPresent(before -> log.warn(
                        "Job {} ({}) cannot be read by this instance and is left to other instances{}. "
                                + "If none can read it, the job fails in {}. The reason: {}",
                        job.id(),
                        job.name(),
                        LogThrottle.withOthers(before),
                        ReadableDuration.of(verdict.patience()),
                        verdict.cause().toString()));
    }

    /**
     * Gives a job back if a second attempt at it is allowed. Every other job is rescued after this instance has
     * stopped.
     */
    private Made brokenOff(Ticket ticket, Throwable broken) {
        Made made = new Made.Decided();
        try {
            Job job = ticket.job();
            if (judge.delivery(job) == Delivery.AT_LEAST_ONCE) {
                made = new Made.GivenBack();
            }
            log.error(
                    "The attempt at job {} ({}) broke off because of an error in delayjob.",
                    job.id(),
                    job.name(),
                    broken);
        } catch (Throwable stillBroken) {
            // There is not even memory for a log line. The slot must come free nevertheless.
        }
        return made;
    }

    // ---- how attempts end

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
        lanes.giveBack(attempt.ticket);
        underWay.remove(attempt);
    }

    @Override
    public void leftLater(Attempt attempt) {
        Ticket next = leave(attempt.ticket, new Made.Ended(recorder.took(attempt)));
        if (next != null) {
            start(next);
        }
    }

    @Override
    public void writtenOff(Attempt attempt, JobOutcome.TimedOut outcome) {
        Job job = attempt.job();
        log.warn(
                "Job {} ({}) did not end within its time-out of {}, and this instance no longer waits for it. "
                        + "The thread keeps its slot until the thread ends. Until then, only other instances try "
                        + "the job again.",
                job.id(),
                job.name(),
                ReadableDuration.of(requireNonNull(attempt.rules().timeout())));
        underWay.overruns(attempt);
        recorder.writtenOff(attempt, outcome);
    }

    // ---- for the engine

    /**
     * Tells the attempts at these jobs that their cancellation was requested. Attempts that begin before the next call
     * are told, too.
     *
     * @return the jobs whose notice is done: their attempts are under way, or they get no further attempt here
     */
    public Set<JobId> requestCancel(Set<JobId> jobs) {
        return underWay.requestCancel(jobs, lanes.held(jobs));
    }

    /** Returns the number of attempts under way. */
    public int running() {
        return underWay.count();
    }

    /** Returns the attempts that were written off and have not ended, the oldest first. */
    public List<StuckAttempt> stuck() {
        return underWay.stuck();
    }

    /** Returns the attempt under way that began first; {@code null} if none is under way. */
    public Vitals.@Nullable LongestRunning longest() {
        return underWay.longest();
    }

    /** Returns the names of the attempts under way for one line of the log. Their number is limited. */
    public String underWay() {
        return underWay.named();
    }

    /**
     * Waits until every slot is free. Interrupts the attempts that have not ended, and waits a little longer.
     */
    public Drained drain(Duration grace, Duration afterInterrupt) {
        int late = lanes.awaitFreeSlots(grace);
        if (late == 0) {
            return new Drained(0, 0);
        }
        log.warn(
                "{} attempts did not end within {} and are interrupted now: {}",
                late,
                ReadableDuration.of(grace),
                underWay());
        underWay.recall();
        return new Drained(late, lanes.awaitFreeSlots(afterInterrupt));
    }

    /**
     * The attempts that were under way when a stop began to wait for them.
     *
     * @param interrupted number of attempts that did not end within the grace and were interrupted
     * @param left number of interrupted attempts that still go on and keep their claimed jobs
     */
    public record Drained(int interrupted, int left) {}
}
