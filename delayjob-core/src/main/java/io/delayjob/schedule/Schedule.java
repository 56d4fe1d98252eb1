package io.delayjob.schedule;

import java.time.Duration;
import java.time.Instant;
import java.util.Optional;

/**
 * A sequence of planned times, as the engine sees it: what comes first, what comes next, and what to do about
 * occurrences that were missed. {@link Repeat} is how applications write one.
 *
 * <p>Planned times are whole milliseconds (instants handed in are rounded up, so that nothing comes early), strictly
 * increasing, never past {@code until} and never past the year 9999: there the sequence ends. It also ends after run
 * {@link Integer#MAX_VALUE}. Planned times never contain jitter, therefore nothing drifts.
 *
 * <p>Schedules are immutable and safe for use by many threads. Two are equal exactly when their texts are.
 */
public sealed interface Schedule permits Repeat {

    /** No schedule's text is longer than this: 2,000 characters. */
    int MAX_TEXT_LENGTH = 2_000;

    /**
     * The schedule as readable text, as it is stored, for example {@code gaps:PT1S,PT5S*} or
     * {@code cron:0 0 3 * * *@Europe/Berlin;times=10;misfire=SKIP}.
     */
    String toText();

    /**
     * Reads what {@link #toText()} wrote.
     *
     * @throws IllegalArgumentException if the text is no schedule; the message names the text and the part that is
     *     wrong
     * @throws IllegalStateException if it is a cron schedule and there is no {@link CronParser} on the class path
     */
    static Schedule parse(String text) {
        return ScheduleText.parse(text);
    }

    /**
     * The planned time of run 1.
     *
     * @param scheduledAt when the job was scheduled
     * @return empty if the schedule has no run at all: {@code until} has passed, or a cron expression never matches
     */
    Optional<Instant> first(Instant scheduledAt);

    /**
     * The planned time of run {@code run + 1}.
     *
     * @param scheduledAt when the job was scheduled, as handed to {@link #first}
     * @param run the run before, counted from 1
     * @param planned when that run was planned; usually what this schedule said, but it may have been moved
     * @return empty if {@code run} was the last one
     */
    Optional<Instant> next(Instant scheduledAt, int run, Instant planned);

    /**
     * The upper bound of the random time that the engine adds to a planned time, each time anew, to spread load; zero
     * means none.
     */
    Duration jitter();

    /**
     * What becomes of missed occurrences: as stated, else {@link MisfirePolicy#RUN_EACH} for finite schedules and
     * {@link MisfirePolicy#RUN_ONCE} for endless ones.
     */
    MisfirePolicy misfire();

    /**
     * Whether the schedule states its own end: by a finite list of gaps or offsets, by {@code times}, or by
     * {@code until}.
     */
    boolean isFinite();

    /**
     * Judges an occurrence just before the first attempt of its run.
     *
     * @param scheduledAt when the job was scheduled, as handed to {@link #first}
     * @param run the run that is about to start, counted from 1
     * @param planned when it was planned
     * @param now the current time
     */
    Misfire judge(Instant scheduledAt, int run, Instant planned, Instant now);
}
