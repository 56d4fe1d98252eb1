package io.delayjob.schedule;

import java.time.Duration;
import java.time.Instant;
import java.util.Optional;

/**
 * Decides whether a planned occurrence still runs. At the time of the decision, later occurrences may already be due,
 * too.
 *
 * <p>An occurrence is <em>missed</em> if a later occurrence has also become due. Under {@link MisfirePolicy#SKIP}, an
 * occurrence is also missed if it is late by more than {@link #TOLERANCE}. Lateness is measured from the planned time
 * plus the maximum jitter.
 *
 * <p>For constant gaps and calendar periods, the number of missed occurrences is computed directly, even after a long
 * outage. For cron schedules, and for schedules whose gaps still grow, one decision counts at most
 * {@link #MAX_LOOKAHEAD} missed occurrences. If more occurrences were missed:
 * <ul>
 * <li>If a cron schedule has no limit by {@link Repeat#times}, the schedule jumps to its latest matching time.
 * Occurrences beyond {@link #MAX_LOOKAHEAD} do not increase the run number.
 * <li>If a cron schedule has a limit by {@link Repeat#times}, the schedule {@linkplain Skipped skips} the occurrences
 * that this decision has counted. A schedule with growing gaps skips these occurrences, too. The next decision counts
 * the occurrences that come after the skipped occurrences. So each missed occurrence counts as one run towards the
 * limit.
 * </ul>
 */
public sealed interface Misfire {

    /** Under {@link MisfirePolicy#SKIP}, an occurrence still runs if it is late by at most this time: one minute. */
    Duration TOLERANCE = Duration.ofMinutes(1);

    /** Maximum number of missed occurrences that one decision counts individually: 10,000. */
    int MAX_LOOKAHEAD = 10_000;

    /** The occurrence runs as planned. */
    record Proceed() implements Misfire {}

    /**
     * The latest occurrence that has become due runs in place of all missed occurrences.
     *
     * @param firstSkippedRun the first run that does not take place. {@link Schedule#judge} was called for this run
     * @param lastSkippedRun the last run that does not take place
     * @param run the run that starts now
     * @param planned the planned time of the run that starts now
     */
    record Merged(int firstSkippedRun, int lastSkippedRun, int run, Instant planned) implements Misfire {
        public Merged {
            Stated.notNull(planned, "planned time", "must be the time of the run to start");
        }
    }

    /**
     * Some occurrences are skipped, and no occurrence runs now. The next decision is about the first occurrence that is
     * not skipped.
     *
     * @param firstSkippedRun the first skipped run. {@link Schedule#judge} was called for this run
     * @param lastSkippedRun the last skipped run
     * @param next the first occurrence that is not skipped; the job is planned for this occurrence. Empty if there is
     *     no such occurrence
     */
    record Skipped(int firstSkippedRun, int lastSkippedRun, Optional<Occurrence> next) implements Misfire {
        public Skipped {
            Stated.notNull(next, "next occurrence", "must be empty when the sequence is over");
        }
    }
}
