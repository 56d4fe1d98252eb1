package io.delayjob.schedule;

import java.time.Duration;
import java.time.Instant;
import java.util.Optional;

/**
 * A sequence of planned times, as the engine sees it: the first time, the next time, and the treatment of missed
 * occurrences. Applications write schedules with {@link Repeat}.
 *
 * <p>Planned times are whole milliseconds and strictly increasing. Given instants are rounded up, so nothing comes
 * early. The sequence ends at {@code until}, at the end of the year 9999, or after run {@link Integer#MAX_VALUE}.
 * Planned times never contain jitter, so nothing drifts.
 *
 * <p>Schedules are immutable and safe for use by many threads. Two schedules are equal if and only if their texts
 * are.
 */
public sealed interface Schedule permits Repeat {

    /** Maximum length of a schedule's text: 2,000 characters. */
    int MAX_TEXT_LENGTH = 2_000;

    /**
     * Returns the schedule as readable text, in its stored form, for example {@code gaps:PT1S,PT5S*} or
     * {@code cron:0 0 3 * * *@Europe/Berlin;times=10;misfire=SKIP}.
     */
    String toText();

    /**
     * Reads the text of {@link #toText()}.
     *
     * @throws IllegalArgumentException if the text is not a schedule; the message names the text and the part
     *     that is wrong
     * @throws IllegalStateException if it is a cron schedule and there is no {@link CronParser} on the class path
     */
    static Schedule parse(String text) {
        return ScheduleText.parse(text);
    }

    /**
     * Returns the planned time of run 1.
     *
     * @param scheduledAt the time at which the job was scheduled
     * @return the time, or empty if the schedule has no run at all: {@code until} has passed, or a cron
     *     expression never matches
     */
    Optional<Instant> first(Instant scheduledAt);

    /**
     * Returns the planned time of run {@code run + 1}.
     *
     * @param scheduledAt the time at which the job was scheduled, as given to {@link #first}
     * @param run the previous run, counted from 1
     * @param planned the planned time of the previous run; usually computed by this schedule, but it may have been
     * moved
     * @return the time, or empty if {@code run} was the last one
     */
    Optional<Instant> next(Instant scheduledAt, int run, Instant planned);

    /**
     * Returns the maximum of the random time that the engine adds to a planned time, drawn again each time to spread
     * load; zero means none.
     */
    Duration jitter();

    /**
     * Returns the treatment of missed occurrences: the policy that was set, or else {@link MisfirePolicy#RUN_EACH}
     * for finite schedules and {@link MisfirePolicy#RUN_ONCE} for endless ones.
     */
    MisfirePolicy misfire();

    /**
     * Tells whether the schedule has an end: by a finite list of gaps or offsets, by {@code times}, or by {@code
     * until}.
     */
    boolean isFinite();

    /**
     * Judges an occurrence just before the first attempt of its run.
     *
     * @param scheduledAt the time at which the job was scheduled, as given to {@link #first}
     * @param run the run that is about to start, counted from 1
     * @param planned the planned time of that run
     * @param now the current time
     */
    Misfire judge(Instant scheduledAt, int run, Instant planned, Instant now);
}
