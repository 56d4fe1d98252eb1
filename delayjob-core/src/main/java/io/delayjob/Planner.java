package io.delayjob;

import io.delayjob.job.Job;
import io.delayjob.job.JobPlan;
import io.delayjob.job.JobState;
import io.delayjob.job.Transition;
import io.delayjob.schedule.Repeat;
import io.delayjob.schedule.Stated;
import io.delayjob.schedule.WholeMillis;
import io.delayjob.time.EngineClock;
import java.time.Duration;
import java.time.Instant;
import java.util.Collections;
import java.util.List;
import java.util.Optional;
import java.util.random.RandomGenerator;
import java.util.stream.IntStream;

/** Makes {@link JobPlan}s. A delay counts from the highest possible store time, so no job starts early. Thread-safe. */
final class Planner {

    private final EngineClock clock;
    private final RandomGenerator random;

    Planner(EngineClock clock, RandomGenerator random) {
        this.clock = clock;
        this.random = random;
    }

    JobPlan now() {
        Instant now = clock.storeTime();
        return JobPlan.once(now, now);
    }

    JobPlan after(Duration delay) {
        Stated.notNull(delay, "delay", "must be zero or more; zero means due at once");
        if (delay.isNegative()) {
            throw new IllegalArgumentException(
                    "Invalid delay %s: must be zero or more; zero means due at once.".formatted(delay));
        }
        if (delay.isZero()) {
            return now();
        }
        Instant from = clock.latestStoreTime();
        if (delay.compareTo(Duration.between(from, Transition.LAST_INSTANT)) > 0) {
            throw new IllegalArgumentException(
                    "Invalid delay %s (%d days): must end before the year 10000; state a shorter delay."
                            .formatted(delay, delay.toDays()));
        }
        return JobPlan.once(from, WholeMillis.roundUp(from.plus(delay)));
    }

    JobPlan at(Instant instant) {
        Stated.notNull(instant, "instant", "must be the job's due time; an instant in the past means at once");
        if (instant.isAfter(Transition.LAST_INSTANT)) {
            throw new IllegalArgumentException(
                    "Invalid instant %s: must be before the year 10000; state an earlier instant.".formatted(instant));
        }
        JobPlan now = now();
        return instant.isAfter(now.dueAt()) ? JobPlan.once(now.scheduledAt(), WholeMillis.roundUp(instant)) : now;
    }

    JobPlan repeat(Repeat schedule) {
        Stated.notNull(schedule, "schedule", "must say when to run, such as Repeat.every(period)");
        Instant from = startOf(schedule);
        Instant planned = schedule.first(from)
                .orElseThrow(() -> new IllegalArgumentException(
                        "Invalid schedule '%s': must have a run after %s; state a later 'until', or a cron expression that matches."
                                .formatted(schedule, from)));
        Instant jittered = Transition.jittered(planned, schedule, random);
        return new JobPlan(schedule.toText(), null, from, 1, planned, jittered.isBefore(from) ? from : jittered);
    }

    /**
     * A schedule counts from the latest possible store time, as a delay does. But if this would skip a run, the
     * schedule counts from the estimated store time.
     */
    private Instant startOf(Repeat schedule) {
        Instant earliest = clock.storeTimeRoundedUp();
        Instant latest = clock.latestStoreTime();
        Instant first = schedule.first(earliest).orElse(Instant.MAX);
        Instant later = schedule.first(latest).orElse(Instant.MAX);
        boolean losesRuns = later.isAfter(Transition.LAST_INSTANT)
                || Duration.between(first, later).compareTo(Duration.between(earliest, latest)) > 0;
        return losesRuns ? earliest : latest;
    }

    /**
     * If the schedule is equal and no run is under way, the job keeps its stored times. But times that depend on the
     * scheduling time or the run number are calculated again.
     */
    JobPlan replacementOf(Job job, Repeat schedule) {
        Instant from = clock.storeTimeRoundedUp();
        boolean goesOn = job.state() == JobState.DELAYED
                && schedule.toText().equals(job.schedule())
                && schedule.next(from, 1, job.plannedAt())
                        .equals(schedule.next(job.scheduledAt(), job.run(), job.plannedAt()));
        return goesOn
                ? new JobPlan(
                        schedule.toText(),
                        null,
                        from,
                        1,
                        job.plannedAt(),
                        job.dueAt().isBefore(from) ? from : job.dueAt())
                : repeat(schedule);
    }

    /**
     * Tells whether a job is due after the next two runs of its schedule. Only a wrong clock can cause this.
     *
     * @param steered whether the handler may have chosen the time of the next run. Such a time proves a wrong clock
     *     only if the scheduling time or the start time of the job is in the future
     */
    boolean waitsTooLong(Job job, Repeat schedule, boolean steered) {
        Instant now = clock.storeTimeRoundedUp();
        boolean aheadOfTime = job.scheduledAt().isAfter(now)
                || job.startedAt() != null && job.startedAt().isAfter(now);
        if (job.state() != JobState.DELAYED || steered && !aheadOfTime) {
            return false;
        }
        // A retry or a snooze may delay a job beyond its planned time, and proves nothing about a clock.
        Instant until = aheadOfTime && job.dueAt().isAfter(job.plannedAt()) ? job.dueAt() : job.plannedAt();
        Instant origin = job.scheduledAt().isAfter(now) ? now : job.scheduledAt();
        Optional<Instant> next = job.run() == 1 ? schedule.first(now) : schedule.next(origin, job.run() - 1, now);
        return next.map(first -> schedule.next(origin, job.run(), first).orElse(first))
                .filter(until::isAfter)
                .isPresent();
    }

    static Duration checkSpread(Duration spread) {
        Stated.notNull(
                spread,
                "duration to spread jobs over",
                "must be zero or more; without this duration, all jobs are due at once");
        if (spread.isNegative()) {
            throw new IllegalArgumentException(
                    "Invalid duration %s to spread jobs over: must be zero or more; without this duration, all jobs are due at once."
                            .formatted(spread));
        }
        return spread;
    }

    List<JobPlan> spread(JobPlan first, Duration spread, int count) {
        if (spread.compareTo(Duration.between(first.dueAt(), Transition.LAST_INSTANT)) > 0) {
            throw new IllegalArgumentException(
                    "Invalid duration %s (%d days) to spread jobs over, counted from %s: must end before the year 10000; state a shorter duration."
                            .formatted(spread, spread.toDays(), first.dueAt()));
        }
        if (spread.isZero()) {
            return Collections.nCopies(count, first);
        }
        long millis = spread.toMillis();
        return IntStream.range(0, count)
                // The product of the time span and the index might exceed 64 bits.
                .mapToLong(i -> millis / count * i + millis % count * i / count)
                .mapToObj(offset ->
                        JobPlan.once(first.scheduledAt(), first.dueAt().plusMillis(offset)))
                .toList();
    }
}
