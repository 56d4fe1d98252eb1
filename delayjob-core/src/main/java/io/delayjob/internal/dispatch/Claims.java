package io.delayjob.internal.dispatch;

import io.delayjob.job.DueRow;
import io.delayjob.job.Job;
import io.delayjob.store.JobTransitions;
import io.delayjob.time.EngineClock;
import java.time.Instant;
import java.util.List;
import java.util.random.RandomGenerator;

/** The claims that this instance sends to the store. Thread-safe. */
public final class Claims {

    private final JobTransitions store;
    private final Standing standing;
    private final ClaimLead lead;
    private final EngineClock clock;
    private final RandomGenerator random;
    private final int batchSize;

    /**
     * @param lead is told how long claims take
     * @param batchSize maximum number of rows of a claim
     */
    public Claims(
            JobTransitions store,
            Standing standing,
            ClaimLead lead,
            EngineClock clock,
            RandomGenerator random,
            int batchSize) {
        this.store = store;
        this.standing = standing;
        this.lead = lead;
        this.clock = clock;
        this.random = random;
        this.batchSize = batchSize;
    }

    int batchSize() {
        return batchSize;
    }

    /** Whether the instance is alive to the others, so that what it claims may be started. */
    boolean mayClaim() {
        return standing.mayStart(standing.number());
    }

    long freshToken() {
        return random.nextLong();
    }

    /** Sends the claim, under this token. After an error it may have been applied or not. */
    List<Job> send(Batch claim, long token) {
        List<DueRow> rows = claim.rows();
        long sentNanos = clock.nanoTime();
        long sentMillis = clock.storeMillis();
        List<Job> jobs = store.claim(rows, standing.number(), token, Instant.ofEpochMilli(sentMillis));
        if (rows.stream().anyMatch(row -> sentMillis - row.dueMillis() < Returns.OVERSTAY.toMillis())) {
            // What was long due tells nothing: claims of a backlog are as large as they can be.
            lead.answeredAfter(clock.nanoTime() - sentNanos);
        }
        return jobs;
    }
}
