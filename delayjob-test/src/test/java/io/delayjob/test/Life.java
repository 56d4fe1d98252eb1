package io.delayjob.test;

import io.delayjob.job.ChainStep;
import io.delayjob.job.Job;
import io.delayjob.job.JobId;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/** The known facts about one job: every claim, every start, and the results that applications got. */
final class Life {

    /** The fate of a claim. */
    enum Fate {
        STANDS,
        COMPLETED,
        RELEASED,
        ANSWERED,
        RESCUED
    }

    static final class Claim {
        final Node node;

        /** The time at which the instance registered under the number of the claim. */
        final long registeredNanos;

        /** The time of the instance's last heartbeat. */
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

    /** What only one job at a time may use; {@code null} for none. */
    @Nullable
    String mutex;

    /** What has a rate of its own; {@code null} for nothing. */
    @Nullable
    String rateKey;

    /** Its tenant, whose jobs take turns with those of others; {@code null} for none. */
    @Nullable
    String fairKey;

    /** The time from the planned time of a run, after which no attempt may start; {@code null} for no end. */
    @Nullable
    Duration expiresAfter;

    /** The time since which its next attempt may start: the commit of the job, or the end of the last attempt. */
    long readyNanos;

    final Map<Long, Claim> claims = new HashMap<>();
    final List<Start> starts = new ArrayList<>();
    final Set<Integer> attempts = new HashSet<>();

    @Nullable
    Claim lastClaim;

    /** Number of times that its runs were counted from 1 again, because it was replaced or retried by hand. */
    int generation;

    /** Number of runs that it must make. */
    int runsWanted;

    int runsDone;

    /** The jobs that must follow it; empty after the next job was written. */
    List<ChainStep> chain = List.of();

    /** Name of the group of which it is a member; no two groups have the same name. */
    @Nullable
    String group;

    boolean cancelled;

    /** Whether a cancellation has reported that no attempt is under way. */
    boolean cleanlyCancelled;

    boolean cancelRequested;

    /**
     * Whether an answer came to an instance without its handler before the handler had returned. Then the row may not
     * say how long the job is kept.
     */
    boolean answeredElsewhere;

    /** Its last row, if it has ended and was deleted later. */
    @Nullable
    Job removed;

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
