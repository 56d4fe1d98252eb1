package io.delayjob.schedule;

import java.time.Duration;
import java.time.Instant;
import java.util.Optional;

/**
 * The verdict on an occurrence that is about to run, given what else has come due meanwhile.
 *
 * <p>An occurrence is <em>missed</em> when a later one has come due too, or, under {@link MisfirePolicy#SKIP} only,
 * when it is late by more than {@link #TOLERANCE}. Lateness counts from the latest moment that jitter allows, so jitter
 * alone never makes an occurrence missed.
 *
 * <p>Constant gaps and calendar periods are judged by arithmetic, however long the outage was. Of other kinds (cron, gaps
 * that still grow) one judgement counts at most {@link #MAX_LOOKAHEAD} occurrences. What happens when more were missed
 * depends on the kind:
 *
 * <ul>
 *   <li>A cron schedule without {@code times} leaps to its latest match. The occurrences beyond the limit use up no
 *       number, so that the next run has a lower number than an exact count would give it.
 *   <li>Any other schedule is {@link Skipped} up to an occurrence that has come due, whose own judgement goes on from
 *       there. Every missed occurrence uses up a number, and {@code times} stays exact.
 * </ul>
 */
public sealed interface Misfire {

    /** Under {@link MisfirePolicy#SKIP}, an occurrence that is late by no more than this still runs: one minute. */
    Duration TOLERANCE = Duration.ofMinutes(1);

    /** Maximum number of missed occurrences that one judgement counts one by one: 10,000. */
    int MAX_LOOKAHEAD = 10_000;

    /** The occurrence runs as it is. */
    record Proceed() implements Misfire {}

    /**
     * The latest occurrence that has come due runs for all of them; the earlier ones are used up.
     *
     * @param firstSkippedRun the first run that is used up without running: the one judged
     * @param lastSkippedRun the last run that is used up without running
     * @param run the run to start now
     * @param planned its planned time
     */
    record Merged(int firstSkippedRun, int lastSkippedRun, int run, Instant planned) implements Misfire {
        public Merged {
            Stated.notNull(planned, "planned time", "must be that of the run to start");
        }
    }

    /**
     * Some occurrences are used up and none runs now: all that have come due, unless there were too many for one
     * judgement.
     *
     * @param firstSkippedRun the first run that is used up: the one judged
     * @param lastSkippedRun the last run that is used up
     * @param next the first occurrence that is not used up, to be planned and judged in its turn; empty when the
     *     sequence is over
     */
    record Skipped(int firstSkippedRun, int lastSkippedRun, Optional<Occurrence> next) implements Misfire {
        public Skipped {
            Stated.notNull(next, "next occurrence", "must be empty when the sequence is over");
        }
    }
}
