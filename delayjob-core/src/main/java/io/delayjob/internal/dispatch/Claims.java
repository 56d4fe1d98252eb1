package io.delayjob.internal.dispatch;

import io.delayjob.internal.attempt.Standing;
import io.delayjob.internal.lane.Ticket;
import io.delayjob.job.Job;
import io.delayjob.store.JobTransitions;
import io.delayjob.time.EngineClock;
import java.time.Instant;
import java.util.List;
import java.util.function.BooleanSupplier;
import java.util.random.RandomGenerator;

/**
 * Sends claims to the store. If the answer to a claim is lost, its rows are {@linkplain Releases released}.
 * Thread-safe.
 */
public final class Claims {

    private final Lanes lanes;
    private final JobTransitions store;
    private final Standing standing;
    private final BooleanSupplier overloaded;
    private final EngineClock clock;
    private final RandomGenerator random;
    private final Releases releases;

    public Claims(
            Lanes lanes,
            JobTransitions store,
            Standing standing,
            BooleanSupplier overloaded,
            EngineClock clock,
            RandomGenerator random) {
        this.lanes = lanes;
        this.store = store;
        this.standing = standing;
        this.overloaded = overloaded;
        this.clock = clock;
        this.random = random;
        this.releases = new Releases(lanes, store, clock, random);
    }

    Releases releases() {
        return releases;
    }

    boolean mayClaim() {
        return standing.mayStart(standing.number()) && !overloaded.getAsBoolean();
    }

    /**
     * If the call fails, the store may have applied the claim, so its rows are released.
     *
     * @return rows that a claim has skipped for the first time
     */
    List<Ticket> claim(Batch claim) {
        long token = random.nextLong();
        try {
            long sentNanos = clock.nanoTime();
            long sentMillis = clock.storeMillis();
            List<Job> jobs = store.claim(claim.rows(), standing.number(), token, Instant.ofEpochMilli(sentMillis));
            if (claim.hasRowsDueAfter(sentMillis - Releases.OVERSTAY.toMillis())) {
                // Claims of long overdue rows are not measured, because they are as large as possible.
                lanes.lead().answeredAfter(clock.nanoTime() - sentNanos);
            }
            return lanes.claims().claimed(claim, jobs);
        } catch (RuntimeException | Error unknown) {
            releases.add(claim, token);
            throw unknown;
        }
    }
}
