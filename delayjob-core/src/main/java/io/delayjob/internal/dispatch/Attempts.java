package io.delayjob.internal.dispatch;

import io.delayjob.event.LogThrottle;
import io.delayjob.handler.Delivery;
import io.delayjob.job.Job;
import io.delayjob.job.JobId;
import io.delayjob.job.JobOutcome;
import io.delayjob.status.StuckAttempt;
import io.delayjob.store.HandlerTransactions;
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
 * Makes an attempt of each claimed job that has a slot, on a worker: may it begin, what is the {@linkplain Judge
 * verdict}, call it, record its end, go on with the job that gets the slot. Thread-safe.
 */
public final class Attempts implements Attempt.Ends {

    private static final Logger log = LoggerFactory.getLogger(Attempts.class);

    private final Lanes lanes;
    private final Judge judge;
    private final Recorder recorder;
    private final UnderWay underWay;
    private final Executor workers;
    private final EngineClock clock;
    private final Invocation atomic;

    private final LogThrottle unreadables = new LogThrottle();
    private final LogThrottle noWorkers = new LogThrottle();

    /** @param transactions those in which atomic handlers are called */
    public Attempts(
            Lanes lanes,
            Judge judge,
            Recorder recorder,
            UnderWay underWay,
            Executor workers,
            EngineClock clock,
            HandlerTransactions transactions) {
        this.lanes = lanes;
        this.judge = judge;
        this.recorder = recorder;
        this.underWay = underWay;
        this.workers = workers;
        this.clock = clock;
        this.atomic = new AtomicInvocation(transactions, lanes, recorder, underWay, this, clock);
    }

    /** Starts jobs that were claimed and have a slot. */
    void start(List<Ticket> claimed) {
        claimed.forEach(this::execute);
    }

    private void execute(Ticket claimed) {
        Ticket ticket = claimed;
        while (ticket != null) {
            Ticket first = ticket;
            try {
                workers.execute(() -> work(first));
                return;
            } catch (RuntimeException | Error noWorker) {
                Job job = first.job();
                noWorkers
                        .admit(job.name(), clock.nanoTime())
                        .ifPresent(before -> log.warn(
                                "Job {} ({}) found no worker and is released{}: {}",
                                job.id(),
                                job.name(),
                                LogThrottle.withOthers(before),
                                noWorker.toString()));
                ticket = leave(first, giveBack(first));
            }
        }
    }

    /** One worker makes attempts as long as there are claimed jobs of its queue. */
    private void work(Ticket first) {
        Ticket ticket = first;
        while (ticket != null) {
            Made made;
            try {
                made = make(ticket);
            } catch (Throwable broken) {
                // Not the handler's doing: no memory is left, or there is a mistake here. The slot must come free all
                // the same.
                made = abandon(ticket, broken);
            }
            ticket = leave(ticket, made);
        }
    }

    private Made make(Ticket ticket) {
        Job job = ticket.job();
        if (!underWay.mayBegin(job)) {
            return giveBack(ticket);
        }
        if (underWay.isOverrunning(job.id())) {
            return setAside(ticket);
        }
        Verdict verdict = judge.of(job, clock.storeTime());
        if (verdict instanceof Verdict.Unreadable unreadable) {
            return leaveToOthers(ticket, unreadable);
        }
        if (verdict instanceof Verdict.Foregone foregone) {
            recorder.foregone(job, foregone);
            return new Made.NotCalled();
        }
        // Asked last: whatever came before may have taken longer than others wait for this instance.
        return verdict instanceof Verdict.Call call && mayStart(ticket)
                ? invocation(call).make(ticket, call)
                : giveBack(ticket);
    }

    private boolean mayStart(Ticket ticket) {
        return underWay.mayStart(ticket.job()) && !ticket.lane.paused;
    }

    private Invocation invocation(Verdict.Call call) {
        return call.rules().handler().atomic() ? atomic : this::makePlainly;
    }

    private Made makePlainly(Ticket ticket, Verdict.Call call) {
        Attempt attempt = new Attempt(ticket, call, clock.nanoTime(), this);
        underWay.begin(attempt);
        return attempt.call(call.arguments()) ? new Made.Ended(recorder.took(attempt)) : new Made.UnderWay();
    }

    /** Leaves the slot, unless the attempt still needs it; answers the ticket that has got it. */
    private @Nullable Ticket leave(Ticket ticket, Made made) {
        if (made instanceof Made.UnderWay) {
            return null;
        }
        return lanes.finished(ticket, made instanceof Made.Ended ended ? ended.took() : null);
    }

    private Made giveBack(Ticket ticket) {
        lanes.giveBack(ticket);
        return new Made.NotCalled();
    }

    private Made setAside(Ticket ticket) {
        lanes.setAside(ticket);
        return new Made.NotCalled();
    }

    private Made leaveToOthers(Ticket ticket, Verdict.Unreadable verdict) {
        Job job = ticket.job();
        unreadables
                .admit(job.name(), clock.nanoTime())
                .ifPresent(before -> log.warn(
                        "Job {} ({}) cannot be read here and is left to other instances{}; in {} it will be FAILED: {}",
                        job.id(),
                        job.name(),
                        LogThrottle.withOthers(before),
                        ReadableDuration.of(verdict.patience()),
                        verdict.cause().toString()));
        return setAside(ticket);
    }

    /** What may be started twice goes back; all else is found when this instance has stopped. */
    private Made abandon(Ticket ticket, Throwable broken) {
        try {
            Job job = ticket.job();
            if (judge.delivery(job) == Delivery.AT_LEAST_ONCE) {
                lanes.giveBack(ticket);
            }
            log.error("The attempt at job {} ({}) broke off within delayjob.", job.id(), job.name(), broken);
        } catch (Throwable stillBroken) {
            // No memory is left even to say so: what matters is that the slot comes free.
        }
        return new Made.NotCalled();
    }

    @Override
    public void ended(Attempt attempt, JobOutcome outcome) {
        underWay.ended(attempt, outcome);
    }

    @Override
    public void endedLate(Attempt attempt) {
        underWay.endedLate(attempt);
    }

    @Override
    public void recalled(Attempt attempt) {
        lanes.giveBack(attempt.ticket());
        underWay.forget(attempt);
    }

    @Override
    public void leftLater(Attempt attempt) {
        Ticket next = leave(attempt.ticket(), new Made.Ended(recorder.took(attempt)));
        if (next != null) {
            execute(next);
        }
    }

    @Override
    public void writtenOff(Attempt attempt, JobOutcome.TimedOut outcome) {
        underWay.writtenOff(attempt, outcome);
    }

    /**
     * Lets those of these jobs that are under way, or begin before the next call, know that somebody has asked to
     * cancel them.
     *
     * @return the jobs of which nothing is left to be told: those under way, and those that no attempt is made of any
     *     more
     */
    public Set<JobId> requestCancel(Set<JobId> jobs) {
        return underWay.requestCancel(jobs, lanes.held(jobs));
    }

    /** Attempts under way. */
    public int running() {
        return underWay.running().size();
    }

    /** Attempts that were written off and have not ended, the oldest first. */
    public List<StuckAttempt> stuck() {
        return underWay.stuck();
    }

    /** The attempts under way, by name, for the log: at most so many that they fit a line. */
    public String underWay() {
        return underWay.named();
    }

    /**
     * Waits until every slot is free, interrupts the attempts that have not ended by then, and waits a little longer.
     */
    public Drained drain(Duration grace, Duration afterInterrupt) {
        int late = lanes.awaitFreeSlots(grace);
        if (late == 0) {
            return new Drained(0, 0);
        }
        log.warn(
                "{} attempts did not end within {}; they are interrupted: {}",
                late,
                ReadableDuration.of(grace),
                underWay());
        underWay.recall();
        return new Drained(late, lanes.awaitFreeSlots(afterInterrupt));
    }
}
