package io.delayjob.internal.preload;

import java.time.Duration;
import java.util.Arrays;

/**
 * Decides how long before its due time a row is offered for a claim. The row should already be claimed when the job is
 * due. The lead is long enough for two claims. The first claim is still running and has the usual duration. The second
 * claim is a slow claim of the row.
 *
 * <pre>
 *     step         step         step          due
 *   ---|------------|------------|-------------|--->        never longer than the setting
 *                   offered with all others    |
 *                   of this step  |- usual + slow claim -|
 * </pre>
 *
 * <p>Time is divided into steps. All rows of a step are offered together, so that one claim includes them all.
 */
public final class ClaimLead implements LeadTime {

    private static final int REMEMBERED = 128;

    /** Among this number of claims, one claim takes longer than the estimated duration of a slow claim. */
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

    /** @param longest maximum lead; zero means that rows are offered at their due time */
    public ClaimLead(Duration longest) {
        this.longestMillis = longest.toMillis();
        this.shortestStepMillis = Math.min(SHORTEST_STEP_MILLIS, Math.max(1, longestMillis / 4));
    }

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

    public long longestMillis() {
        return longestMillis;
    }
}
