package io.delayjob.internal.preload;

import java.time.Duration;
import java.util.Arrays;

/**
 * Decides how long before its due time a row is offered for a claim. The row should already be claimed when the job is
 * due. Therefore this class measures how long claims take. A row may have to wait for two claims. The first is another
 * claim, which takes the usual time. The second is the row's own claim, which may be slow.
 *
 * <pre>
 *     step         step         step          due
 *   ---|------------|------------|-------------|--->        never longer than the setting
 *                   offered with all others    |
 *                   of this step  |- usual + slow claim -|
 * </pre>
 *
 * <p>Time is divided into steps. All rows of a step are offered together, so that one claim includes them all. A step
 * usually takes 10 ms. If the measured durations need most of the maximum lead, the step is shorter. It is never
 * shorter than 5 ms, or a quarter of the maximum lead if that is less. If claims take no time, as in virtual time,
 * there is no lead.
 */
public final class ClaimLead implements LeadTime {

    /**
     * Number of claim durations that are remembered. A busy instance makes so many claims in about a second, and an
     * idle instance in some minutes.
     */
    private static final int REMEMBERED = 128;

    /** One in this number of claims takes longer than the duration that counts as the duration of a slow claim. */
    private static final int SLOWER = 64;

    private static final long LONGEST_STEP_MILLIS = 10;

    private static final long SHORTEST_STEP_MILLIS = 5;

    private static final long NANOS_PER_MILLI = 1_000_000;

    private final long longestMillis;
    private final long shortestStepMillis;
    private final long[] latest = new long[REMEMBERED];
    private int known;
    private int next;
    private volatile long leadMillis;

    /**
     * @param longest maximum time by which a row is offered before its due time. If this time is zero, rows are offered
     *     at their due time
     */
    public ClaimLead(Duration longest) {
        this.longestMillis = longest.toMillis();
        this.shortestStepMillis = Math.min(SHORTEST_STEP_MILLIS, Math.max(1, longestMillis / 4));
    }

    /** Records the duration of a claim. */
    public synchronized void answeredAfter(long nanos) {
        latest[next] = nanos;
        next = (next + 1) % REMEMBERED;
        known = Math.max(known, next == 0 ? REMEMBERED : next);
        long[] sorted = Arrays.copyOf(latest, known);
        Arrays.sort(sorted);
        long needed = sorted[known / 2] + sorted[known - 1 - known / SLOWER];
        leadMillis = -Math.floorDiv(-needed, NANOS_PER_MILLI);
    }

    @Override
    public long offerMillis(long dueMillis) {
        long lead = leadMillis;
        if (lead == 0 || longestMillis == 0) {
            return dueMillis;
        }
        long latestOffer = dueMillis - lead;
        long step = Math.max(shortestStepMillis, Math.min(LONGEST_STEP_MILLIS, longestMillis - lead));
        return Math.max(earliestOfferMillis(dueMillis), latestOffer - Math.floorMod(latestOffer, step));
    }

    @Override
    public long earliestOfferMillis(long dueMillis) {
        long earliest = dueMillis - longestMillis;
        return earliest + Math.floorMod(-earliest, shortestStepMillis);
    }

    /** Returns the maximum time from the offer of a row to its due time. */
    public long longestMillis() {
        return longestMillis;
    }
}
