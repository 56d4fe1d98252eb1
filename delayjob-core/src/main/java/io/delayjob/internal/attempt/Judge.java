package io.delayjob.internal.attempt;

import io.delayjob.handler.Delivery;
import io.delayjob.handler.Handler;
import io.delayjob.handler.HandlerRegistry;
import io.delayjob.handler.InvalidPayloadException;
import io.delayjob.handler.PayloadCodec;
import io.delayjob.job.Failure;
import io.delayjob.job.Job;
import io.delayjob.job.JobOutcome;
import io.delayjob.job.OversizePayload;
import io.delayjob.schedule.Misfire;
import io.delayjob.schedule.Schedule;
import io.delayjob.time.EngineClock;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.random.RandomGenerator;
import org.jspecify.annotations.Nullable;

/** Decides what happens to a claimed job, and changes nothing. Thread-safe. */
public final class Judge {

    private final HandlerRegistry handlers;
    private final PayloadCodec codec;
    private final AttemptDefaults defaults;
    private final EngineClock clock;
    private final RandomGenerator random;

    public Judge(
            HandlerRegistry handlers,
            PayloadCodec codec,
            AttemptDefaults defaults,
            EngineClock clock,
            RandomGenerator random) {
        this.handlers = handlers;
        this.codec = codec;
        this.defaults = defaults;
        this.clock = clock;
        this.random = random;
    }

    Verdict of(Job job, Instant now) {
        Handler handler = handlers.find(job.name());
        if (handler == null) {
            return new Verdict.NoHandler();
        }
        try {
            AttemptRules rules = AttemptRules.of(job, handler, defaults);
            if (job.awaiting()) {
                return new Verdict.Foregone(job, rules, notAnswered(job, rules));
            }
            List<@Nullable Object> arguments = read(job, handler);
            Misfire misfire = misfire(job, rules, now);
            JobOutcome foregone = foregone(job, rules, misfire);
            return foregone != null
                    ? new Verdict.Foregone(job, rules, foregone)
                    : callInTime(job, rules, arguments, misfire);
        } catch (RuntimeException | Error unreadable) {
            return unreadable(job, handler, unreadable, now);
        }
    }

    private static JobOutcome notAnswered(Job job, AttemptRules rules) {
        Failure failure = Failure.of(
                "NotAnswered",
                "run %d awaited an answer from outside until %s, but got no final answer; the work outside may still go on"
                        .formatted(job.run(), job.dueAt()));
        return new JobOutcome.TimedOut(failure, rules.mayRetryLost());
    }

    /**
     * Returns the default if this instance does not have the handler, because then another instance decides about the
     * job.
     */
    Delivery delivery(Job job) {
        Handler handler = handlers.find(job.name());
        return handler == null ? Delivery.AT_LEAST_ONCE : handler.delivery();
    }

    private List<@Nullable Object> read(Job job, Handler handler) {
        OversizePayload oversize = job.oversize();
        if (oversize != null) {
            throw new InvalidPayloadException(oversize.message());
        }
        return codec.decode(handler.parameters(), job.payload());
    }

    private Verdict callInTime(Job job, AttemptRules rules, List<@Nullable Object> arguments, Misfire misfire) {
        Misfire.Merged merged = misfire instanceof Misfire.Merged found ? found : null;
        Job made = merged == null ? job : job.atRun(merged.run(), merged.planned());
        return rules.mayHaveExpired(made.plannedAt(), clock)
                ? new Verdict.Foregone(made, rules, expired(made, rules), merged)
                : new Verdict.Call(made, rules, arguments, merged);
    }

    /**
     * An expired run fails if an attempt of this run has failed. If the job does not repeat, its run also fails if the
     * job was claimed before: an earlier attempt may have done a part of the work.
     */
    private JobOutcome expired(Job job, AttemptRules rules) {
        Failure failure = Failure.of(
                "Expired",
                "run %d, planned for %s, could not start within %s (expiresAfter): it was up to %s late; failed attempts of this run: %d"
                        .formatted(
                                job.run(),
                                job.plannedAt(),
                                rules.expiresAfter(),
                                Duration.between(job.plannedAt(), clock.latestStoreTime()),
                                job.failures()));
        boolean isRestOfOneShot = rules.schedule() == null && job.attempt() > 1;
        return job.failures() > 0 || isRestOfOneShot
                ? new JobOutcome.Failed(failure, false)
                : new JobOutcome.Expired(failure);
    }

    private static Misfire misfire(Job job, AttemptRules rules, Instant now) {
        Schedule schedule = rules.schedule();
        return schedule == null || !rules.isFirstAttempt(job)
                ? new Misfire.Proceed()
                : schedule.judge(job.scheduledAt(), job.run(), job.plannedAt(), now);
    }

    private @Nullable JobOutcome foregone(Job job, AttemptRules rules, Misfire misfire) {
        // The instance that has rescued the row may not have the handler.
        boolean lostTooOften = job.rescues() > 0
                && (!rules.mayRetryLost()
                        || rules.retry().delayBefore(job.failures(), random).isEmpty());
        if (lostTooOften) {
            Failure failure = Failure.of(
                    "LostWithInstance",
                    "%d of %d failed attempts of run %d were lost, because their instance died or fell silent"
                            .formatted(job.rescues(), job.failures(), job.run()));
            return new JobOutcome.Failed(failure, false);
        }
        return misfire instanceof Misfire.Skipped skipped ? new JobOutcome.Skipped(skipped) : null;
    }

    private Verdict unreadable(Job job, Handler handler, Throwable cause, Instant now) {
        Duration patience = defaults.unreadableAfter().minus(Duration.between(job.dueAt(), now));
        if (patience.compareTo(Duration.ZERO) > 0) {
            return new Verdict.Unreadable(cause, patience);
        }
        return new Verdict.Foregone(
                job,
                AttemptRules.ofUnreadable(handler, defaults),
                new JobOutcome.Failed(Failure.of(cause), false, cause));
    }
}
