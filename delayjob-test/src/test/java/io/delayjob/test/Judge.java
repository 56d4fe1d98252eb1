package io.delayjob.test;

import io.delayjob.job.CancelResult;
import io.delayjob.job.GroupRef;
import io.delayjob.job.Job;
import io.delayjob.job.JobExtras;
import io.delayjob.job.JobId;
import io.delayjob.job.JobState;
import io.delayjob.job.NewJob;
import io.delayjob.job.Scheduled;
import io.delayjob.schedule.Schedule;
import io.delayjob.settings.EngineSettings;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Collection;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/**
 * Checks the promises of the protocol. It receives every transition at the moment at which the store makes it, and
 * every start and end of an attempt. It also knows all faults. Other judges check the promises of one kind.
 */
final class Judge {

    /** A violated promise, and the job for which it was violated. */
    record Violation(Check check, String text, @Nullable JobId job) {}

    private final VirtualClock truth;
    private final SharedStore store;
    private final History history;
    private final long claimLeadMicros;
    private final boolean calm;

    private final Map<JobId, Life> lives = new LinkedHashMap<>();
    private final List<Node> nodes = new ArrayList<>();
    private final List<Violation> violations = new ArrayList<>();

    private final InstanceJudge instances;
    private final GroupJudge groups;
    private final EndJudge ends;
    private final StartJudge startRules;
    private final LimitJudge limits;
    private final TurnJudge turns;
    private final KeepJudge keeping;

    private long storeSetBackNanos = -1;

    int starts;
    int duplicates;
    int fenced;

    /** Number of answers from outside that were accepted. */
    int answers;

    Judge(
            VirtualClock truth,
            SharedStore store,
            Faults faults,
            History history,
            EngineSettings settings,
            boolean calm) {
        this.truth = truth;
        this.store = store;
        this.history = history;
        this.claimLeadMicros = settings.preload().claimLead().toNanos() / 1_000;
        this.calm = calm;
        Duration liveness = settings.cluster().liveness();
        this.instances = new InstanceJudge(this, truth, faults, history, liveness);
        this.groups = new GroupJudge(this, truth, store, history);
        this.ends = new EndJudge(this, truth, store, history);
        this.startRules = new StartJudge(this, truth, store, faults, liveness);
        this.limits = new LimitJudge(this, truth, store, faults);
        this.turns = new TurnJudge(this, truth);
        this.keeping = new KeepJudge(this, store, faults, settings.history());
    }

    void violated(Check check, @Nullable JobId job, String text, Object... arguments) {
        violations.add(new Violation(check, text.formatted(arguments), job));
        history.note("judge", check.name(), job, 0);
        // The rest of the simulation shows nothing more, and after a broken rule it might run for ever.
        nodes.forEach(Node::die);
    }

    /** Returns the first promise that was violated. */
    Optional<Violation> verdict() {
        return violations.stream().findFirst();
    }

    Collection<Life> lives() {
        return lives.values();
    }

    /** Returns what is known about this job; {@code null} if it was never written. */
    @Nullable
    Life life(JobId id) {
        return lives.get(id);
    }

    void add(Life life) {
        lives.put(life.id, life);
    }

    InstanceJudge instances() {
        return instances;
    }

    GroupJudge groups() {
        return groups;
    }

    EndJudge ends() {
        return ends;
    }

    LimitJudge limits() {
        return limits;
    }

    TurnJudge turns() {
        return turns;
    }

    KeepJudge keeping() {
        return keeping;
    }

    // ---- instances

    void joined(Node node) {
        nodes.add(node);
    }

    /** Returns all instances that have joined so far. */
    List<Node> nodes() {
        return nodes;
    }

    void storeWasSetBack() {
        storeSetBackNanos = truth.nanoTime();
    }

    /** Returns when the store's clock was set back for the last time; -1 if it was never set back. */
    long storeSetBackNanos() {
        return storeSetBackNanos;
    }

    // ---- calls of applications

    /** @param before the unfinished job that had this key before */
    void submitted(Node node, NewJob job, Scheduled result, @Nullable JobId before) {
        history.note(
                node.name(),
                "submit " + result.outcome(),
                result.id(),
                job.dueAt().toEpochMilli());
        switch (result.outcome()) {
            case CREATED -> {
                Life life = new Life(result.id(), job.name(), truth.nanoTime());
                life.runsWanted = runs(job);
                life.chain = JobExtras.parse(job.extras()).steps();
                life.mutex = JobExtras.parse(job.extras()).mutex();
                life.rateKey = JobExtras.parse(job.extras()).rateKey();
                life.fairKey = JobExtras.parse(job.extras()).fairKey();
                if (life.fairKey != null) {
                    turns.submitted(node, result.id(), job.partition(), life.fairKey);
                }
                life.expiresAfter = JobExtras.parse(job.extras()).expiresAfter();
                GroupRef group = JobExtras.groupOf(job.extras());
                life.group = group == null ? null : group.name();
                lives.put(result.id(), life);
                if (before != null) {
                    // Its key was taken over while it was running, so no further attempt may follow.
                    lives.get(before).cancelRequested = true;
                }
            }
            case REPLACED -> {
                Life life = lives.get(result.id());
                life.generation++;
                life.runsDone = 0;
                life.runsWanted = runs(job);
                life.chain = JobExtras.parse(job.extras()).steps();
            }
            case KEPT, POSTPONED -> {}
        }
    }

    void broughtBack(Node node, JobId id) {
        history.note(node.name(), "retry by hand", id, 0);
        Life life = lives.get(id);
        life.generation++;
        if (store.jobs.find(id).filter(job -> job.extras().group() == null).isPresent()) {
            life.group = null;
        }
    }

    private static int runs(NewJob job) {
        if (job.schedule() == null) {
            return 1;
        }
        Schedule schedule = Schedule.parse(job.schedule());
        int runs = 1;
        Optional<Instant> next = schedule.next(job.scheduledAt(), runs, job.plannedAt());
        while (next.isPresent()) {
            runs++;
            next = schedule.next(job.scheduledAt(), runs, next.get());
        }
        return runs;
    }

    /** Records that a call has told the application that this job exists. */
    void acknowledged(JobId id) {
        if (!lives.containsKey(id)) {
            violated(Check.NOTHING_LOST, id, "job %s was acknowledged and never written", id);
        }
    }

    void cancelled(Node node, JobId id, CancelResult result) {
        Life life = lives.get(id);
        history.note(node.name(), "cancel: " + result, id, 0);
        switch (result) {
            case CANCELLED, CANCELLED_ATTEMPT_MAY_BE_IN_FLIGHT -> {
                life.cancelled = true;
                life.cleanlyCancelled |= result == CancelResult.CANCELLED;
                if (result == CancelResult.CANCELLED && life.isUnderWay()) {
                    violated(Check.CANCEL_TELLS_TRUTH, id, "an attempt of job %s (%s) is under way", id, life.name);
                }
            }
            case RUNNING -> life.cancelRequested = true;
            case ALREADY_ENDED, NOT_FOUND -> {}
        }
    }

    // ---- calls of engines

    void claimed(Node node, Job job) {
        history.note(node.name(), "claim", job.id(), job.attempt());
        Life life = lives.get(job.id());
        if (life.cancelled || life.cancelRequested && !job.awaiting()) {
            violated(Check.NOTHING_AFTER_CANCEL, job.id(), "job %s (%s) is claimed", job.id(), job.name());
        }
        if (life.claimStands()) {
            violated(Check.ONE_CLAIM, job.id(), "job %s (%s) is claimed twice", job.id(), job.name());
        }
        long aheadMicros = job.dueAt().toEpochMilli() * 1_000 - store.clockMicros();
        if (calm && aheadMicros > claimLeadMicros) {
            violated(
                    Check.CLAIMED_IN_TIME,
                    job.id(),
                    "job %s (%s) is claimed %d us before its time",
                    job.id(),
                    job.name(),
                    aheadMicros);
        }
        if (life.fairKey != null) {
            turns.claimed(node, job, life.fairKey);
        }
        InstanceJudge.Owner owner = instances.owner(job.owner());
        life.claim(node, job, owner.registeredNanos, owner.lastBeatNanos);
    }

    void released(Node node, JobId id) {
        history.note(node.name(), "release", id, 0);
        lives.get(id).endClaim(Life.Fate.RELEASED);
    }

    void rescued(Node node, JobId id) {
        history.note(node.name(), "rescue", id, 0);
        lives.get(id).endClaim(Life.Fate.RESCUED);
    }

    // ---- attempts

    Life.@Nullable Start started(Node node, Job job) {
        starts++;
        history.note(node.name(), "start", job.id(), job.attempt());
        Life life = lives.get(job.id());
        if (life == null) {
            violated(Check.ONLY_COMMITTED_RUNS, job.id(), "%s starts on %s", job, node);
            return null;
        }
        Life.Claim claim = life.claims.get(job.token());
        if (claim == null || claim.node != node) {
            violated(Check.CLAIMED_BEFORE_START, job.id(), "%s starts on %s, claimed by %s", job, node, claim);
            return null;
        }
        startRules.check(node, job, life, claim);
        limits.started(node, job, life);
        if (calm) {
            startRules.checkPrompt(job, life);
        }
        return life.start(claim, job.run(), truth.nanoTime());
    }

    void ended(Node node, Life.@Nullable Start start, JobId id) {
        history.note(node.name(), "handler ends", id, 0);
        if (start != null) {
            start.ended = true;
            lives.get(id).readyNanos = truth.nanoTime();
        }
    }

    /** Called when an ended job was deleted, with its last row. */
    void removed(Node node, Job job) {
        history.note(node.name(), "delete " + job.state(), job.id(), 0);
        lives.get(job.id()).removed = job;
    }

    // ---- the end of the simulation

    /** Checks that another instance has resumed a job that this instance ran when it died. */
    void checkResumed(JobId id, Node victim) {
        Life life = lives.get(id);
        boolean wasRunning = life.lastClaim != null && life.lastClaim.node == victim;
        if (wasRunning && life.lastClaim.fate == Life.Fate.STANDS || life.lastClaim == null) {
            violated(Check.RECOVERS, id, "job %s (%s) of %s has not been claimed again", id, life.name, victim);
        }
    }

    /** Checks everything at the end of the simulation. */
    void checkAll() {
        groups.checkAll();
        lives.values().forEach(life -> {
            Job job = store.jobs.find(life.id).orElse(life.removed);
            if (job == null) {
                violated(Check.NOTHING_LOST, life.id, "job %s (%s) is gone", life.id, life.name);
            } else if (!job.state().isEnded()) {
                violated(Check.ENDS, life.id, "%s has not ended", job);
            } else {
                checkEnd(life, job);
            }
        });
    }

    private void checkEnd(Life life, Job job) {
        if (job.state() == JobState.FINISHED && life.starts.isEmpty() && life.runsDone == 0) {
            violated(Check.NOTHING_LOST, life.id, "%s never ran", job);
        }
        if (job.state() == JobState.FAILED && !Workload.mayFail(job)) {
            violated(Check.NOTHING_LOST, life.id, "%s failed", job);
        }
        boolean mayExpire = life.expiresAfter != null;
        if (job.state() == JobState.CANCELLED && !life.cancelled && !life.cancelRequested && !mayExpire) {
            violated(Check.NOTHING_LOST, life.id, "%s was cancelled by nobody", job);
        }
        if (job.state() == JobState.FAILED && life.cancelRequested) {
            violated(Check.NOTHING_AFTER_CANCEL, life.id, "%s could be brought back", job);
        }
        boolean finished = job.state() == JobState.FINISHED;
        if (finished ? life.runsDone != life.runsWanted : life.runsDone > life.runsWanted) {
            violated(Check.EXACTLY_N, life.id, "%s made %d of %d runs", job, life.runsDone, life.runsWanted);
        }
    }
}
