package io.delayjob.job;

import io.delayjob.schedule.RetryPolicy;
import io.delayjob.schedule.Schedule;
import io.delayjob.schedule.WholeMillis;
import java.time.Duration;
import java.time.Instant;
import java.util.Optional;
import java.util.random.RandomGenerator;
import org.jspecify.annotations.Nullable;

/** Describes the next state of a row after an attempt. */
public sealed interface Transition {

    /** The last millisecond of the year 9999. Nothing is scheduled for a later time. */
    Instant LAST_INSTANT = Instant.parse("9999-12-31T23:59:59.999Z");

    /** Tells whether the same run gets another attempt. If {@code false}, the next run follows, or the job ends. */
    default boolean retries(Job job) {
        return this instanceof Again again && again.run() == job.run();
    }

    /**
     * The job goes back to the state {@link JobState#DELAYED}.
     *
     * @param run number of the run that the job waits for
     * @param dueAt due time of the next attempt of that run
     * @param failures number of failed and lost attempts of that run
     * @param awaiting whether the job awaits an answer from outside until its due time
     */
    record Again(int run, Instant plannedAt, Instant dueAt, int failures, boolean awaiting) implements Transition {

        /** Creates a transition after which the job waits for its next attempt, and not for an answer. */
        public Again(int run, Instant plannedAt, Instant dueAt, int failures) {
            this(run, plannedAt, dueAt, failures, false);
        }
    }

    /**
     * The job ends and moves to the history.
     *
     * @param state the last state of the job: {@link JobState#FINISHED}, {@link JobState#FAILED} or
     *     {@link JobState#CANCELLED}
     */
    record Ended(JobState state) implements Transition {
        public Ended {
            if (!state.isEnded()) {
                throw new IllegalArgumentException(
                        "Invalid final state %s: must be FINISHED, FAILED or CANCELLED.".formatted(state));
            }
        }
    }

    /**
     * Decides a row's next state after an attempt; no other code decides this. This method does not know about a
     * cancellation that was requested during the attempt. If a cancellation was requested, the store writes {@link
     * JobState#CANCELLED}, unless this method returns {@link JobState#FINISHED}.
     *
     * @param job the claimed job; its run is the run that was attempted
     * @param schedule the schedule of the job; {@code null} if the job does not repeat
     * @param policy the job's retry policy
     * @param now the store time at the end of the attempt. If the exact time is not known, the caller passes the latest
     *     possible time. Delays count from {@code now}
     */
    static Transition after(
            Job job,
            @Nullable Schedule schedule,
            JobOutcome outcome,
            RetryPolicy policy,
            Instant now,
            RandomGenerator random) {
        if (outcome instanceof JobOutcome.Succeeded) {
            return nextRun(job, schedule, random);
        }
        if (outcome instanceof JobOutcome.Continued continued) {
            return continued(job, schedule, continued.delay(), now);
        }
        if (outcome instanceof JobOutcome.Snoozed snoozed) {
            return new Again(job.run(), job.plannedAt(), capped(now, snoozed.delay()), job.failures());
        }
        if (outcome instanceof JobOutcome.Awaited awaited) {
            return new Again(job.run(), job.plannedAt(), capped(now, awaited.within()), job.failures(), true);
        }
        if (outcome instanceof JobOutcome.Skipped skipped) {
            return skipped.misfire()
                    .next()
                    .<Transition>map(next -> firstAttempt(next.run(), next.planned(), schedule, random))
                    .orElse(new Ended(JobState.FINISHED));
        }
        if (outcome instanceof JobOutcome.Expired) {
            return schedule == null ? new Ended(JobState.CANCELLED) : nextRun(job, schedule, random);
        }
        if (outcome instanceof JobOutcome.Failed failed) {
            return failed(job, schedule, failed.retriable(), policy, now, random);
        }
        if (outcome instanceof JobOutcome.TimedOut timedOut) {
            return failed(job, schedule, timedOut.retriable(), policy, now, random);
        }
        return new Ended(JobState.FINISHED);
    }

    private static Transition failed(
            Job job,
            @Nullable Schedule schedule,
            boolean retriable,
            RetryPolicy policy,
            Instant now,
            RandomGenerator random) {
        int failures = job.failures() + 1;
        Optional<Duration> pause = retriable ? policy.delayBefore(failures, random) : Optional.empty();
        if (pause.isPresent()) {
            return new Again(job.run(), job.plannedAt(), capped(now, pause.get()), failures);
        }
        // If a nightly job fails once, its later runs must still take place.
        boolean goesOn = schedule != null && !schedule.isFinite();
        Transition next = goesOn ? nextRun(job, schedule, random) : new Ended(JobState.FAILED);
        return next instanceof Again ? next : new Ended(JobState.FAILED);
    }

    private static Transition nextRun(Job job, @Nullable Schedule schedule, RandomGenerator random) {
        if (schedule == null) {
            return new Ended(JobState.FINISHED);
        }
        return schedule.next(job.scheduledAt(), job.run(), job.plannedAt())
                .<Transition>map(planned -> firstAttempt(job.run() + 1, planned, schedule, random))
                .orElse(new Ended(JobState.FINISHED));
    }

    /**
     * The job gets another run, even if it has no schedule. But if its schedule has no further run, or ends before the
     * chosen time, the job ends.
     */
    private static Transition continued(Job job, @Nullable Schedule schedule, Duration delay, Instant now) {
        Instant due = capped(now, delay);
        boolean over = schedule != null
                && (!schedule.allows(due)
                        || schedule.next(job.scheduledAt(), job.run(), job.plannedAt())
                                .isEmpty());
        return over ? new Ended(JobState.FINISHED) : new Again(job.run() + 1, due, due, 0);
    }

    private static Again firstAttempt(int run, Instant planned, @Nullable Schedule schedule, RandomGenerator random) {
        return new Again(run, planned, jittered(planned, schedule, random), 0);
    }

    /** Jitter delays the attempt, but does not change the planned time. */
    static Instant jittered(Instant planned, @Nullable Schedule schedule, RandomGenerator random) {
        long jitterMillis = schedule == null ? 0 : schedule.jitter().toMillis();
        return jitterMillis == 0 ? planned : capped(planned, Duration.ofMillis(random.nextLong(jitterMillis + 1)));
    }

    private static Instant capped(Instant from, Duration delay) {
        Duration room = Duration.between(from, LAST_INSTANT);
        return delay.compareTo(room) < 0 ? WholeMillis.roundUp(from.plus(delay)) : LAST_INSTANT;
    }
}
