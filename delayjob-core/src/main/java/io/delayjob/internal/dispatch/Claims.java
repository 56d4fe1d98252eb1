package io.delayjob.internal.dispatch;

import io.delayjob.internal.attempt.Standing;
import io.delayjob.job.Job;
import io.delayjob.store.JobTransitions;
import io.delayjob.time.EngineClock;
import java.time.Instant;
import java.util.List;
import java.util.function.BooleanSupplier;
import java.util.random.RandomGenerator;

/** The claims that this instance sends to the store. Thread-safe. */
public final class Claims {

    private final JobTransitions store;
    private final Standing standing;
    private final BooleanSupplier overloaded;
    private final ClaimLead lead;
    private final EngineClock clock;
    private final RandomGenerator random;
    private final int batchSize;

    /**
     * @param overloaded whether too many ends of attempts wait to be written. Then no more jobs are claimed, because
     * other instances cannot start a claimed job
     * @param lead is told how long claims take
     * @param batchSize maximum number of rows of a claim
     */
    public Claims(
            JobTransitions store,
            Standing standing,
            BooleanSupplier overloaded,
            ClaimLead lead,
            EngineClock clock,
            RandomGenerator random,
            int batchSize) {
        this.store = store;
        this.standing = standing;
        this.overloaded = overloaded;
        this.lead = lead;
        this.clock = clock;
        this.random = random;
        this.batchSize = batchSize;
    }

    int batchSize() {
        return batchSize;
    }

    /** Tells whether a job claimed now could start, and its end be written soon. */
    boolean mayClaim() {
        return standing.mayStart(standing.number()) && !overloaded.getAsBoolean();
    }

    long freshToken() {
        return random.nextLong();
    }

    /**
     * Sends the claim under this token. After an error it is unknown whether the claim was applied.
     *
     * @throws IllegalArgumentException if the store answers with a job that was not asked for
     */
    List<Job> send(Batch claim, long token) {
        long sentNanos = clock.nanoTime();
        long sentMillis = clock.storeMillis();
        List<Job> jobs = store.claim(claim.rows(), standing.number(), token, Instant.ofEpochMilli(sentMillis));
        jobs.forEach(job -> claim.ticketOf(job.id()));
        if (claim.hasRowsDueAfter(sentMillis - Returns.OVERSTAY.toMillis())) {
            // Claims of rows that were overdue for long do not count, because claims of a backlog are as large as they
            // can be.
            lead.answeredAfter(clock.nanoTime() - sentNanos);
        }
        return jobs;
    }
}
