package io.delayjob.test;

import io.delayjob.job.Job;
import io.delayjob.job.JobId;
import java.time.Duration;

/** Checks at each start of an attempt whether the claim and the other attempts of its job allow it. */
final class StartJudge {

    private static final Duration PROMPT = Duration.ofMillis(11);

    private final Judge judge;
    private final VirtualClock truth;
    private final SharedStore store;
    private final Faults faults;
    private final long livenessNanos;

    StartJudge(Judge judge, VirtualClock truth, SharedStore store, Faults faults, Duration liveness) {
        this.judge = judge;
        this.truth = truth;
        this.store = store;
        this.faults = faults;
        this.livenessNanos = liveness.toNanos();
    }

    void check(Node node, Job job, Life life, Life.Claim claim) {
        checkStart(node, job, life, claim);
        checkOthers(job, life, claim);
    }

    private void checkStart(Node node, Job job, Life life, Life.Claim claim) {
        JobId id = job.id();
        if (claim.start != null || !life.attempts.add(job.attempt())) {
            judge.violated(
                    Check.STARTS_ONCE, id, "attempt %d of job %s (%s) starts twice", job.attempt(), id, job.name());
        }
        // If a run was answered between the claim and the start of an attempt, the attempt may be under way, as cancel
        // has reported.
        boolean inFlight = claim.fate == Life.Fate.ANSWERED && !life.cleanlyCancelled;
        if (life.cancelled && !inFlight) {
            judge.violated(Check.NOTHING_AFTER_CANCEL, id, "job %s (%s) starts on %s", id, job.name(), node);
        }
        if (claim.fate != Life.Fate.STANDS
                && claim.fate != Life.Fate.ANSWERED
                && !faults.has(Fault.Kind.SUSPEND, node.name())) {
            judge.violated(
                    Check.STARTS_WHILE_HELD,
                    id,
                    "job %s (%s) starts on %s, whose claim was %s",
                    id,
                    job.name(),
                    node,
                    claim.fate);
        }
        long earlyMicros = job.dueAt().toEpochMilli() * 1_000 - store.clockMicros();
        if (earlyMicros > 0 && !mayBeEarly(claim, earlyMicros)) {
            judge.violated(
                    Check.NEVER_EARLY, id, "job %s (%s) starts %d us early on %s", id, job.name(), earlyMicros, node);
        }
    }

    /**
     * Tells whether a start may be early because the store's clock was set back. An instance learns this with the reply
     * to a heartbeat, and only as exactly as the reply was fast. Without a reply, it claims no longer than for a
     * liveness period.
     */
    private boolean mayBeEarly(Life.Claim claim, long earlyMicros) {
        if (judge.storeSetBackNanos() < 0) {
            return false;
        }
        Node.Knowledge known = claim.known;
        if (known.heardNanos() > judge.storeSetBackNanos()) {
            return (earlyMicros - 1) * 1_000 < known.aheadNanos();
        }
        long unawareNanos = known.claimNanos() - Math.max(judge.storeSetBackNanos(), claim.registeredNanos);
        return unawareNanos <= livenessNanos || faults.has(Fault.Kind.SUSPEND, claim.node.name());
    }

    /**
     * Checks that no other attempt of the job runs. An answer may end a run whose next attempt is claimed and has not
     * started. Then two attempts may overlap.
     */
    private void checkOthers(Job job, Life life, Life.Claim claim) {
        for (Life.Start other : life.starts) {
            if (other.isUnderWay()
                    && claim.fate != Life.Fate.ANSWERED
                    && other.claim.fate != Life.Fate.COMPLETED
                    && other.claim.fate != Life.Fate.ANSWERED
                    && other.claim.fate != Life.Fate.RESCUED) {
                judge.violated(
                        Check.NO_OVERLAP,
                        job.id(),
                        "an attempt of job %s (%s) starts while one is under way on %s, whose claim is %s",
                        job.id(),
                        job.name(),
                        other.claim.node,
                        other.claim.fate);
            }
            if (other.run == job.run() && other.generation == life.generation) {
                checkRepetition(job, other.claim);
            }
        }
    }

    private void checkRepetition(Job job, Life.Claim before) {
        if (job.name().equals(Workload.ONCE)) {
            judge.violated(Check.AT_MOST_ONCE, job.id(), "run %d of job %s starts again", job.run(), job.id());
        }
        if (before.fate == Life.Fate.COMPLETED || before.fate == Life.Fate.ANSWERED) {
            return;
        }
        judge.duplicates++;
        boolean explained = before.fate == Life.Fate.RESCUED
                ? faults.explain(before.node.name(), before.lastBeatNanos)
                : faults.has(Fault.Kind.STOP, before.node.name());
        if (!explained) {
            judge.violated(
                    Check.NO_DUPLICATE,
                    job.id(),
                    "run %d of job %s (%s) starts again after a claim by %s that was %s",
                    job.run(),
                    job.id(),
                    job.name(),
                    before.node,
                    before.fate);
        }
    }

    /** Checks in a cluster without faults that an attempt starts on time. */
    void checkPrompt(Job job, Life life) {
        Duration late = Duration.ofNanos(Math.min(
                store.clockMicros() * 1_000 - job.dueAt().toEpochMilli() * 1_000_000,
                truth.nanoTime() - life.readyNanos));
        if (late.compareTo(PROMPT) > 0 && !Workload.mayWait(job)) {
            judge.violated(Check.ON_TIME, job.id(), "job %s (%s) starts %s late", job.id(), job.name(), late);
        }
    }
}
