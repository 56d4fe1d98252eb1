package io.delayjob.job;

import io.delayjob.schedule.RetryPolicy;
import io.delayjob.schedule.Schedule;
import io.delayjob.schedule.WholeMillis;
import java.time.Duration;
import java.time.Instant;
import java.util.Optional;
import java.util.random.RandomGenerator;
import org.jspecify.annotations.Nullable;

/** What becomes of a row after an attempt. */
public sealed interface Transition {

    /** Past this nothing is scheduled: the last millisecond of the year 9999. */
    Instant LAST_INSTANT = Instant.parse("9999-12-31T23:59:59.999Z");

    /** Whether the run that this job attempted is attempted again, rather than the next run. */
    default boolean retries(Job job) {
        return this instanceof Again again && again.run() == job.run();
    }

    /**
     * Back to {@link JobState#DELAYED}.
     *
     * @param run the run that is waited for
     * @param plannedAt when it was planned for
     * @param dueAt when its next attempt is due
     * @param failures failed and lost attempts of that run
     */
    record Again(int run, Instant plannedAt, Instant dueAt, int failures) implements Transition {}

    /**
     * The job ends and leaves for the history.
     *
     * @param state {@link JobState#FINISHED}, {@link JobState#FAILED} or {@link JobState#CANCELLED}
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
     * Decides a row's next state: the one place where it is decided. A cancellation requested meanwhile is not known
     * here; the store turns all but {@link JobState#FINISHED} into {@link JobState#CANCELLED} for such a row.
     *
     * @param job the job as it was claimed, moved to the run that was in fact made
     * @param schedule its schedule; {@code null} for a one-shot
     * @param policy the retry policy that holds for it
     * @param now the latest that store time can be at the end of the attempt; delays count from it
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
        if (outcome instanceof JobOutcome.Skipped skipped) {
            return skipped.misfire()
                    .next()
                    .<Transition>map(next -> firstAttempt(next.run(), next.planned(), schedule, random))
                    .orElse(new Ended(JobState.FINISHED));
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
        // One bad night must not end a nightly job: an endless repeat records the run as failed and goes on.
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

    /** A one-shot that asks for another run gets it; a schedule that is at its end stays at its end. */
    private static Transition continued(Job job, @Nullable Schedule schedule, Duration delay, Instant now) {
        boolean over = schedule != null
                && schedule.next(job.scheduledAt(), job.run(), job.plannedAt()).isEmpty();
        if (over) {
            return new Ended(JobState.FINISHED);
        }
        Instant due = capped(now, delay);
        return new Again(job.run() + 1, due, due, 0);
    }

    private static Again firstAttempt(int run, Instant planned, @Nullable Schedule schedule, RandomGenerator random) {
        return new Again(run, planned, jittered(planned, schedule, random), 0);
    }

    /** The planned time plus a random part of the schedule's jitter: it delays an attempt, never the plan. */
    static Instant jittered(Instant planned, @Nullable Schedule schedule, RandomGenerator random) {
        long jitterMillis = schedule == null ? 0 : schedule.jitter().toMillis();
        return jitterMillis == 0 ? planned : capped(planned, Duration.ofMillis(random.nextLong(jitterMillis + 1)));
    }

    private static Instant capped(Instant from, Duration delay) {
        Duration room = Duration.between(from, LAST_INSTANT);
        return delay.compareTo(room) < 0 ? WholeMillis.roundUp(from.plus(delay)) : LAST_INSTANT;
    }
}
