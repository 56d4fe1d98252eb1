package io.delayjob.internal.dispatch;

import io.delayjob.internal.preload.LeadTime;
import java.time.Duration;
import java.util.Arrays;

/**
 * Rows are offered so long before their time that their claims are durable when it comes, and nobody waits for the store
 * then. What the store takes to answer a claim is measured: a row may have to wait for a claim that is under way, which
 * takes as long as most do, and then for its own, which may be a slow one.
 *
 * <pre>
 *     step         step         step          due
 *   ---|------------|------------|-------------|--->        never longer than the setting
 *                   offered with all others    |
 *                   of this step  |- usual + slow claim -|
 * </pre>
 *
 * <p>Rows are offered in steps of 5 ms, or of a quarter of the longest lead where that is less, so that one claim takes all of a step. Where claims take no
 * time, as in virtual time, there is no lead.
 */
public final class ClaimLead implements LeadTime {

    /** So many claims back are remembered: about a second of a busy instance's, minutes of an idle one's. */
    private static final int REMEMBERED = 128;

    /** One claim in so many may be slower than what is taken for a slow one. */
    private static final int SLOWER = 64;

    private static final long LONGEST_STEP_MILLIS = 5;

    private static final long NANOS_PER_MILLI = 1_000_000;

    private final long longestMillis;
    private final long stepMillis;
    private final long[] latest = new long[REMEMBERED];
    private int known;
    private int next;
    private volatile long leadMillis;

    /** @param longest no row is offered sooner before its time than this; zero: all are offered at their time */
    public ClaimLead(Duration longest) {
        this.longestMillis = longest.toMillis();
        this.stepMillis = Math.min(LONGEST_STEP_MILLIS, Math.max(1, longestMillis / 4));
    }

    /** Notes how long a claim took that was answered. */
    synchronized void answeredAfter(long nanos) {
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
        return Math.max(earliestOfferMillis(dueMillis), latestOffer - Math.floorMod(latestOffer, stepMillis));
    }

    @Override
    public long earliestOfferMillis(long dueMillis) {
        long earliest = dueMillis - longestMillis;
        return earliest + Math.floorMod(-earliest, stepMillis);
    }

    /** No row is offered sooner before its time. */
    long longestMillis() {
        return longestMillis;
    }
}
