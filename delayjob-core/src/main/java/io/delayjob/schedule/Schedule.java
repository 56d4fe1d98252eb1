package io.delayjob.schedule;

import java.time.Duration;
import java.time.Instant;
import java.util.Optional;

/**
 * The sequence of planned times of a job. Applications create schedules with {@link Repeat}.
 *
 * <p>Planned times are whole milliseconds, and do not include jitter. Each planned time is later than the previous
 * time. Instants in arguments are rounded to whole milliseconds so that no run is too early. A sequence without any
 * other limit has at most {@link Integer#MAX_VALUE} runs, all before the end of the year 9999.
 *
 * <p>Schedules are immutable and thread-safe. Two schedules are equal if and only if their texts are equal.
 */
public sealed interface Schedule permits Repeat {

    /** Maximum length of a schedule's text: 2,000 characters. */
    int MAX_TEXT_LENGTH = 2_000;

    /**
     * Returns the schedule as the text that is stored, such as {@code gaps:PT1S,PT5S*} or
     * {@code cron:0 0 3 * * *@Europe/Berlin;times=10;misfire=SKIP}.
     */
    String toText();

    /**
     * Reads the text of {@link #toText()}.
     *
     * @throws IllegalArgumentException if the text is not a schedule; the message says which part is wrong
     * @throws IllegalStateException if the text is a cron schedule and there is no {@link CronParser} on the class path
     */
    static Schedule parse(String text) {
        return ScheduleText.parse(text);
    }

    /**
     * Returns the planned time of run 1. The result is empty if the sequence ends before run 1, or if a cron expression
     * never matches.
     *
     * @param scheduledAt the time at which the job was scheduled
     */
    Optional<Instant> first(Instant scheduledAt);

    /**
     * Returns the planned time of the next run; empty if {@code run} was the last run.
     *
     * @param run the number of the previous run, counted from 1
     * @param planned the planned time of the previous run. It can differ from the time that the schedule gives for that
     *     run
     */
    Optional<Instant> next(Instant scheduledAt, int run, Instant planned);

    /**
     * Tells whether a run may be planned for this time. The result is {@code false} if this time is later than the
     * limit that {@link Repeat#until} has set.
     */
    boolean allows(Instant planned);

    /**
     * Returns the maximum jitter; zero means no jitter. The engine adds a random time of at most this length to each
     * planned time.
     */
    Duration jitter();

    /**
     * Returns the policy for missed occurrences. The default is {@link MisfirePolicy#RUN_EACH} for finite schedules,
     * and {@link MisfirePolicy#RUN_ONCE} for endless schedules.
     */
    MisfirePolicy misfire();

    /**
     * Tells whether the schedule has an end. A schedule has an end if {@link Repeat#times} or {@link Repeat#until} has
     * set a limit. A schedule also has an end if it uses each gap or offset of a list only once.
     */
    boolean isFinite();

    /**
     * Decides whether a planned run takes place. The engine calls this method just before the first attempt of the run.
     *
     * @param run the number of the run that is about to start, counted from 1
     * @param planned the planned time of that run
     */
    Misfire judge(Instant scheduledAt, int run, Instant planned, Instant now);
}
