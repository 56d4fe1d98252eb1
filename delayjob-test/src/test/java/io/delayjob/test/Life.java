package io.delayjob.test;

import io.delayjob.job.ChainStep;
import io.delayjob.job.Job;
import io.delayjob.job.JobId;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/** What is known of one job: every claim and every start, and what applications were told of it. */
final class Life {

    /** What became of a claim. */
    enum Fate {
        STANDS,
        COMPLETED,
        RELEASED,
        ANSWERED,
        RESCUED
    }

    static final class Claim {
        final Node node;

        /** When the instance had registered under the number that it claims for. */
        final long registeredNanos;

        /** When the instance had been heard last. */
        final long lastBeatNanos;

        final Node.Knowledge known;

        Fate fate = Fate.STANDS;

        @Nullable
        Start start;

        Claim(Node node, long token, long registeredNanos, long lastBeatNanos) {
            this.node = node;
            this.registeredNanos = registeredNanos;
            this.lastBeatNanos = lastBeatNanos;
            this.known = node.knownAtClaim(token);
        }
    }

    static final class Start {
        final Claim claim;
        final int run;
        final int generation;
        final long atNanos;
        boolean ended;

        Start(Claim claim, int run, int generation, long atNanos) {
            this.claim = claim;
            this.run = run;
            this.generation = generation;
            this.atNanos = atNanos;
        }

        boolean isUnderWay() {
            return !ended && claim.node.lives();
        }
    }

    final JobId id;
    final String name;

    /** Since when its next attempt could be made: when it was committed, which may take a while, or an attempt has ended. */
    long readyNanos;

    final Map<Long, Claim> claims = new HashMap<>();
    final List<Start> starts = new ArrayList<>();
    final Set<Integer> attempts = new HashSet<>();

    @Nullable
    Claim lastClaim;

    /** Raised whenever its runs are counted anew: when it was replaced, or brought back. */
    int generation;

    /** How many runs it is to have. */
    int runsWanted;

    int runsDone;

    /** The jobs that are to follow it; empty once the next one was written. */
    List<ChainStep> chain = List.of();

    boolean cancelled;

    /** A cancellation said that nothing of it is under way. */
    boolean cleanlyCancelled;

    boolean cancelRequested;

    Life(JobId id, String name, long committedNanos) {
        this.id = id;
        this.name = name;
        this.readyNanos = committedNanos;
    }

    Claim claim(Node node, Job job, long registeredNanos, long lastBeatNanos) {
        Claim claim = new Claim(node, job.token(), registeredNanos, lastBeatNanos);
        claims.put(job.token(), claim);
        lastClaim = claim;
        return claim;
    }

    Start start(Claim claim, int run, long nanos) {
        Start start = new Start(claim, run, generation, nanos);
        claim.start = start;
        starts.add(start);
        return start;
    }

    boolean claimStands() {
        return lastClaim != null && lastClaim.fate == Fate.STANDS;
    }

    void endClaim(Fate fate) {
        if (lastClaim != null) {
            lastClaim.fate = fate;
        }
    }

    boolean isUnderWay() {
        return starts.stream().anyMatch(Start::isUnderWay);
    }
}
