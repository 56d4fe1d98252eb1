package io.delayjob.schedule;

import java.time.Duration;
import java.time.Instant;
import java.util.Optional;

/**
 * Decides whether a planned occurrence still runs, although later occurrences may already be due, too.
 *
 * <p>An occurrence is <em>missed</em> if a later occurrence has also become due. Under {@link MisfirePolicy#SKIP}, an
 * occurrence is also missed if it is late by more than {@link #TOLERANCE}. Lateness counts from the planned time plus
 * the maximum jitter, so no occurrence is missed because of its jitter.
 *
 * <p>For constant gaps and calendar periods, a decision takes one division, even after a long outage. For other kinds
 * of schedules (cron, gaps that still grow), one decision counts at most {@link #MAX_LOOKAHEAD} occurrences. If more
 * occurrences were missed, the effect depends on the kind of schedule:
 *
 * <ul>
 * <li>A cron schedule without {@code times} jumps to its latest match. Occurrences beyond the limit are not counted, so
 * the number of the next run is lower than an exact count would give.
 * <li>Under every other schedule of these kinds, a decision {@linkplain Skipped skips} only the occurrences that this
 * decision has counted. The occurrence that follows these is due, too, and the next decision begins with it. Every
 * missed occurrence counts as a run, so the limit {@code times} stays exact.
 * </ul>
 */
public sealed interface Misfire {

    /** Under {@link MisfirePolicy#SKIP}, an occurrence still runs if it is late by at most this time: one minute. */
    Duration TOLERANCE = Duration.ofMinutes(1);

    /** Maximum number of missed occurrences that one decision counts one by one: 10,000. */
    int MAX_LOOKAHEAD = 10_000;

    /** The occurrence runs as planned. */
    record Proceed() implements Misfire {}

    /**
     * The latest occurrence that has become due runs in place of all missed occurrences. The earlier occurrences will
     * not run.
     *
     * @param firstSkippedRun the first run that does not take place; the policy had to decide about the start of this
     *     run
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
     * Some occurrences are skipped, and no occurrence runs now. Usually all occurrences that have become due are
     * skipped. For some schedules, one decision skips only a limited number of occurrences. The next decision then
     * decides about the rest.
     *
     * @param firstSkippedRun the first skipped run, which is the run that the decision was about
     * @param lastSkippedRun the last skipped run
     * @param next the first occurrence that is not skipped. The job is planned for it, and a later call decides whether
     *     it runs. Empty if the sequence is over
     */
    record Skipped(int firstSkippedRun, int lastSkippedRun, Optional<Occurrence> next) implements Misfire {
        public Skipped {
            Stated.notNull(next, "next occurrence", "must be empty when the sequence is over");
        }
    }
}
