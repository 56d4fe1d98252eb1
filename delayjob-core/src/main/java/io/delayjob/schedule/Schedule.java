package io.delayjob.schedule;

import java.time.Duration;
import java.time.Instant;
import java.util.Optional;

/**
 * Computes the sequence of planned times of a job for the engine. Applications create schedules with {@link Repeat}.
 *
 * <p>Planned times are whole milliseconds and strictly increasing. Instants in arguments are rounded up, so no run is
 * too early. The sequence ends at {@code until}, at the end of the year 9999, or after the run with the number {@link
 * Integer#MAX_VALUE}. Planned times never contain jitter, so the jitter of several runs does not add up.
 *
 * <p>Schedules are immutable and thread-safe. Two schedules are equal if and only if their texts are equal.
 */
public sealed interface Schedule permits Repeat {

    /** Maximum length of a schedule's text: 2,000 characters. */
    int MAX_TEXT_LENGTH = 2_000;

    /**
     * Returns the schedule as text. The schedule is stored in this form. Examples are {@code gaps:PT1S,PT5S*} and
     * {@code cron:0 0 3 * * *@Europe/Berlin;times=10;misfire=SKIP}.
     */
    String toText();

    /**
     * Reads the text of {@link #toText()}.
     *
     * @throws IllegalArgumentException if the text is not a schedule; the message names the text and the part
     *     that is wrong
     * @throws IllegalStateException if the text is a cron schedule and there is no {@link CronParser} on the class path
     */
    static Schedule parse(String text) {
        return ScheduleText.parse(text);
    }

    /**
     * Returns the planned time of run 1.
     *
     * @param scheduledAt the time at which the job was scheduled
     * @return the time. It is empty if the schedule has no run at all: {@code until} has passed, or a cron expression
     *     never matches
     */
    Optional<Instant> first(Instant scheduledAt);

    /**
     * Returns the planned time of the next run.
     *
     * @param scheduledAt the time at which the job was scheduled, as given to {@link #first}
     * @param run the previous run, counted from 1
     * @param planned the planned time of the previous run. Usually this schedule has computed the time, but the time
     *     may have been changed since
     * @return the time; empty if {@code run} was the last run
     */
    Optional<Instant> next(Instant scheduledAt, int run, Instant planned);

    /**
     * Returns the maximum jitter; zero means no jitter. The engine adds a random time of at most this length to each
     * planned time, so that jobs do not all start together.
     */
    Duration jitter();

    /**
     * Returns the policy for missed occurrences: the policy that was set, or the default. The default is {@link
     * MisfirePolicy#RUN_EACH} for finite schedules, and {@link MisfirePolicy#RUN_ONCE} for endless schedules.
     */
    MisfirePolicy misfire();

    /**
     * Tells whether the schedule has an end: a finite list of gaps or offsets, {@code times}, or {@code until}.
     */
    boolean isFinite();

    /**
     * Is called just before the first attempt of a run, and decides whether this occurrence runs.
     *
     * @param scheduledAt the time at which the job was scheduled, as given to {@link #first}
     * @param run the run that is about to start, counted from 1
     * @param planned the planned time of that run
     * @param now the current time
     */
    Misfire judge(Instant scheduledAt, int run, Instant planned, Instant now);
}
