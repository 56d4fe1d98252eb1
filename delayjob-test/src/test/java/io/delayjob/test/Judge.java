package io.delayjob.test;

import io.delayjob.job.AnswerResult;
import io.delayjob.job.CancelResult;
import io.delayjob.job.ChainStep;
import io.delayjob.job.Completion;
import io.delayjob.job.DueRow;
import io.delayjob.job.GroupJob;
import io.delayjob.job.GroupRef;
import io.delayjob.job.Job;
import io.delayjob.job.JobExtras;
import io.delayjob.job.JobId;
import io.delayjob.job.JobOutcome;
import io.delayjob.job.JobState;
import io.delayjob.job.NewJob;
import io.delayjob.job.Partition;
import io.delayjob.job.Scheduled;
import io.delayjob.job.Transition;
import io.delayjob.schedule.Schedule;
import io.delayjob.store.CompletionResult;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Collection;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/**
 * Checks the promises of the protocol. It receives every transition at the moment at which the store makes it, and
 * every start and end of an attempt. It also knows all faults.
 */
final class Judge {

    /** A violated promise, and the job for which it was violated. */
    record Violation(Check check, String text, @Nullable JobId job) {}

    /** Store time has only milliseconds. */
    private static final double ROUNDING = 0.01;

    private static final Duration PROMPT = Duration.ofMillis(11);

    private final VirtualClock truth;
    private final SharedStore store;
    private final Faults faults;
    private final History history;
    private final long livenessNanos;
    private final long claimLeadMicros;
    private final boolean calm;

    private final Map<JobId, Life> lives = new LinkedHashMap<>();
    private final Map<Long, Owner> owners = new HashMap<>();
    private final List<Node> nodes = new ArrayList<>();
    private final List<Violation> violations = new ArrayList<>();

    /** The starts of attempts, by the key of their rate. */
    private final Map<String, Starts> rated = new HashMap<>();

    private long storeSetBackNanos = -1;

    int starts;
    int duplicates;
    int fenced;

    /** Number of answers from outside that were accepted. */
    int answers;

    /** Closed groups by the jobs that follow them. */
    private final Map<JobId, GroupRef> groups = new LinkedHashMap<>();

    Judge(
            VirtualClock truth,
            SharedStore store,
            Faults faults,
            History history,
            Duration liveness,
            Duration claimLead,
            boolean calm) {
        this.truth = truth;
        this.store = store;
        this.faults = faults;
        this.history = history;
        this.livenessNanos = liveness.toNanos();
        this.claimLeadMicros = claimLead.toNanos() / 1_000;
        this.calm = calm;
    }

    private static final class Owner {
        final Node node;
        final long registeredNanos;
        long lastBeatNanos;

        Owner(Node node, long nanos) {
            this.node = node;
            registeredNanos = nanos;
            lastBeatNanos = nanos;
        }
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

    // ---- instances

    void joined(Node node) {
        nodes.add(node);
    }

    void registered(Node node, long number) {
        owners.put(number, new Owner(node, truth.nanoTime()));
        history.note(node.name(), "registers", null, number);
    }

    void beaten(long number) {
        Owner owner = owners.get(number);
        owner.lastBeatNanos = truth.nanoTime();
        owner.node.led().forEach(partition -> checkOneLeader(owner.node, partition));
    }

    void givenUp(Node by, long number) {
        Owner owner = owners.get(number);
        history.note(by.name(), "gives up", null, number);
        long silence = truth.nanoTime() - owner.lastBeatNanos;
        if (silence < livenessNanos) {
            violated(
                    Check.SILENT_BEFORE_LOST,
                    null,
                    "%s (number %d) was given up by %s after a silence of %s",
                    owner.node,
                    number,
                    by,
                    Duration.ofNanos(silence));
        } else if (owner.node.lives() && !faults.explain(owner.node.name(), owner.lastBeatNanos)) {
            violated(
                    Check.SILENT_BEFORE_LOST,
                    null,
                    "%s (number %d) fell silent although nothing went wrong with it",
                    owner.node,
                    number);
        }
    }

    void leads(Node node, Partition partition) {
        history.note(node.name(), "leads", null, partition.hashCode());
        // A reply may take so long that the lease is no longer trusted.
        if (node.leads(partition)) {
            checkOneLeader(node, partition);
        }
    }

    /**
     * Checks that a partition has only one leader. This need not hold if the store's clock was set, which changes the
     * ends of leases, or if a machine slept and does not know that its lease has expired.
     */
    private void checkOneLeader(Node node, Partition partition) {
        for (Node other : nodes) {
            boolean twoLeaders = other != node
                    && other.lives()
                    && other.leads(partition)
                    && !faults.has(Fault.Kind.STORE_CLOCK_STEP, Faults.STORE)
                    && !faults.has(Fault.Kind.SUSPEND, node.name())
                    && !faults.has(Fault.Kind.SUSPEND, other.name());
            if (twoLeaders) {
                violated(Check.ONE_LEADER, null, "%s leads %s while %s does", node, partition, other);
            }
        }
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
        Owner owner = owners.get(job.owner());
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

    /** @param before the row before the call; {@code null} if there was none */
    void completed(Node node, Completion completion, @Nullable Job before, CompletionResult result) {
        JobId id = completion.job().id();
        history.note(
                node.name(),
                completion.outcome().label() + " " + result,
                id,
                completion.job().attempt());
        if (result == CompletionResult.LOCKED) {
            return;
        }
        if (result == CompletionResult.FENCED
                || result == CompletionResult.GONE
                || result == CompletionResult.SUPERSEDED) {
            fenced += wasAnswered(completion) ? 0 : 1;
            return;
        }
        if (before != null && before.token() == completion.freshToken()) {
            // It was sent again, because its reply was lost.
            return;
        }
        boolean itsOwn = before != null
                && before.state() == JobState.RUNNING
                && before.token() == completion.job().token();
        if (!itsOwn) {
            violated(
                    Check.OWN_COMPLETION,
                    id,
                    "the end of attempt %d of job %s (%s) was accepted for %s",
                    completion.job().attempt(),
                    id,
                    completion.job().name(),
                    before);
            return;
        }
        Life life = lives.get(id);
        life.endClaim(Life.Fate.COMPLETED);
        life.runsDone += runsDone(completion, before);
    }

    /**
     * Checks that the next job of the chain exists if and only if this job has finished. Called after each end of an
     * attempt.
     */
    void checkChain(JobId id) {
        Life life = lives.get(id);
        if (life.chain.isEmpty()) {
            return;
        }
        ChainStep next = life.chain.get(0);
        Job job = store.jobs.find(id).orElse(null);
        boolean isWanted = job != null && next.follows(job.state());
        if (store.jobs.find(next.id()).isPresent() != isWanted) {
            violated(
                    Check.CHAIN_GOES_ON,
                    id,
                    "%s %s followed by job %s (%s)",
                    job,
                    isWanted ? "is not" : "is",
                    next.id(),
                    next.name());
        } else if (isWanted) {
            Life follower = new Life(next.id(), next.name(), truth.nanoTime());
            follower.runsWanted = 1;
            follower.chain = life.chain.subList(1, life.chain.size());
            follower.group = life.group;
            lives.put(next.id(), follower);
            life.chain = List.of();
        }
    }

    // ---- groups

    void groupClosed(Node node, GroupRef group, GroupJob follower) {
        history.note(node.name(), "close group", follower.id(), 0);
        groups.put(follower.id(), group);
    }

    /** Called when a fold has written a row. */
    void groupFollowed(Node node, DueRow row) {
        history.note(node.name(), "group ends", row.id(), 0);
        GroupRef group = groups.get(row.id());
        if (group == null || lives.containsKey(row.id())) {
            violated(Check.GROUP_ENDS_ONCE, row.id(), "%s follows no group that waits for it", row);
            return;
        }
        unendedMember(group)
                .ifPresent(member -> violated(
                        Check.GROUP_ENDS_ONCE, row.id(), "%s is written before the end of %s", row, member.id));
        Life life = new Life(row.id(), row.name(), truth.nanoTime());
        life.runsWanted = 1;
        lives.put(row.id(), life);
    }

    private Optional<Life> unendedMember(GroupRef group) {
        return lives.values().stream()
                .filter(life -> group.name().equals(life.group))
                .filter(life -> store.jobs
                        .find(life.id)
                        .filter(job -> !job.state().isEnded())
                        .isPresent())
                .findFirst();
    }

    /** Tells whether the job after a closed group is still to be written. */
    boolean isAnyGroupWaiting() {
        return groups.keySet().stream().anyMatch(follower -> !lives.containsKey(follower));
    }

    private void checkGroups() {
        groups.forEach((follower, group) -> {
            if (!lives.containsKey(follower)) {
                violated(
                        Check.GROUP_ENDS_ONCE,
                        follower,
                        "group %s has not ended: %s",
                        group,
                        store.jobs.groups().find(group.name()));
            }
        });
    }

    /** Tells whether an answer from outside came before this end. */
    private boolean wasAnswered(Completion completion) {
        Life.Claim claim =
                lives.get(completion.job().id()).claims.get(completion.job().token());
        return claim != null && claim.fate == Life.Fate.ANSWERED;
    }

    /** @param before the row before the call, with the run for which the answer was accepted */
    void answered(Node node, Completion completion, Job before, AnswerResult result) {
        JobId id = completion.job().id();
        history.note(node.name(), "answer " + completion.outcome().label() + " " + result, id, before.attempt());
        Life life = lives.get(id);
        if (before.state() == JobState.RUNNING) {
            life.endClaim(Life.Fate.ANSWERED);
        }
        answers++;
        life.runsDone +=
                completion.job().run() - before.run() + (completion.outcome().endsRun() ? 1 : 0);
        life.readyNanos = truth.nanoTime();
    }

    private static int runsDone(Completion completion, Job before) {
        if (completion.outcome() instanceof JobOutcome.Skipped skipped) {
            return skipped.misfire().lastSkippedRun() - skipped.misfire().firstSkippedRun() + 1;
        }
        int merged = completion.job().run() - before.run();
        boolean toBeMade = completion.next() instanceof Transition.Again again
                ? again.run() == completion.job().run()
                : completion.next().equals(new Transition.Ended(JobState.FAILED));
        return toBeMade ? merged : merged + 1;
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
        checkStart(node, job, life, claim);
        checkOthers(job, life, claim);
        if (life.mutex != null) {
            checkMutex(job, life);
        }
        if (Workload.isLimited(job)) {
            checkLimit(job);
        }
        if (life.rateKey != null) {
            checkRate(node, job, life.rateKey);
        }
        if (life.expiresAfter != null) {
            checkExpiry(node, job, job.plannedAt().plus(life.expiresAfter));
        }
        if (calm) {
            checkPrompt(job, life);
        }
        return life.start(claim, job.run(), truth.nanoTime());
    }

    private void checkStart(Node node, Job job, Life life, Life.Claim claim) {
        JobId id = job.id();
        if (claim.start != null || !life.attempts.add(job.attempt())) {
            violated(Check.STARTS_ONCE, id, "attempt %d of job %s (%s) starts twice", job.attempt(), id, job.name());
        }
        // If a run was answered between the claim and the start of an attempt, the attempt may be under way, as cancel
        // has reported.
        boolean inFlight = claim.fate == Life.Fate.ANSWERED && !life.cleanlyCancelled;
        if (life.cancelled && !inFlight) {
            violated(Check.NOTHING_AFTER_CANCEL, id, "job %s (%s) starts on %s", id, job.name(), node);
        }
        if (claim.fate != Life.Fate.STANDS
                && claim.fate != Life.Fate.ANSWERED
                && !faults.has(Fault.Kind.SUSPEND, node.name())) {
            violated(
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
            violated(Check.NEVER_EARLY, id, "job %s (%s) starts %d us early on %s", id, job.name(), earlyMicros, node);
        }
    }

    /**
     * Tells whether a start may be early because the store's clock was set back. An instance learns this with the reply
     * to a heartbeat, and only as exactly as the reply was fast. Without a reply, it claims no longer than for a
     * liveness period.
     */
    private boolean mayBeEarly(Life.Claim claim, long earlyMicros) {
        if (storeSetBackNanos < 0) {
            return false;
        }
        Node.Knowledge known = claim.known;
        if (known.heardNanos() > storeSetBackNanos) {
            return (earlyMicros - 1) * 1_000 < known.aheadNanos();
        }
        long unawareNanos = known.claimNanos() - Math.max(storeSetBackNanos, claim.registeredNanos);
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
                violated(
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

    /**
     * A lease table whose clock is set forward ends leases that their holders still trust, so two instances may decide
     * about a mutex.
     */
    private void checkMutex(Job job, Life life) {
        if (faults.has(Fault.Kind.STORE_CLOCK_STEP, Faults.STORE)) {
            return;
        }
        for (Life other : lives.values()) {
            if (other == life || !life.mutex.equals(other.mutex)) {
                continue;
            }
            for (Life.Start start : other.starts) {
                if (start.isUnderWay() && start.claim.fate != Life.Fate.RESCUED) {
                    violated(
                            Check.MUTEX_HELD_ONCE,
                            job.id(),
                            "job %s (%s) starts while job %s of its mutex '%s' is under way on %s, whose claim is %s",
                            job.id(),
                            job.name(),
                            other.id,
                            life.mutex,
                            start.claim.node,
                            start.claim.fate);
                }
            }
        }
    }

    /** Two leaders may decide about a slot in the same case as about a mutex. */
    private void checkLimit(Job job) {
        if (faults.has(Fault.Kind.STORE_CLOCK_STEP, Faults.STORE)) {
            return;
        }
        List<Life.Start> underWay = lives.values().stream()
                .filter(other -> other.name.equals(job.name()))
                .flatMap(other -> other.starts.stream())
                .filter(start -> start.isUnderWay() && start.claim.fate != Life.Fate.RESCUED)
                .toList();
        if (underWay.size() >= Workload.LIMIT) {
            violated(
                    Check.CLUSTER_LIMIT_HELD,
                    job.id(),
                    "job %s (%s) starts while %d attempts are under way on %s",
                    job.id(),
                    job.name(),
                    underWay.size(),
                    underWay.stream().map(start -> start.claim.node).toList());
        }
    }

    /**
     * Two leaders may decide about a key in the same case as about a mutex. If a process stands still between its last
     * look at a lease and the call of a handler, this start comes late, and so it does not count.
     */
    private void checkRate(Node node, Job job, String key) {
        boolean stoodStill = faults.has(Fault.Kind.PAUSE, node.name())
                || faults.has(Fault.Kind.PAUSE_IN_CALL, node.name())
                || faults.has(Fault.Kind.SUSPEND, node.name());
        if (stoodStill || faults.has(Fault.Kind.STORE_CLOCK_STEP, Faults.STORE)) {
            return;
        }
        double most = Workload.RATE.burst() + 1 + 1 + ROUNDING;
        double started =
                rated.computeIfAbsent(key, first -> new Starts()).next(Workload.RATE.startsPerNano(), truth.nanoTime());
        if (started > most) {
            violated(
                    Check.KEY_RATE_HELD,
                    job.id(),
                    "job %s (%s) starts, and %.2f attempts of its key '%s' beyond the rate of %s",
                    job.id(),
                    job.name(),
                    started,
                    key,
                    Workload.RATE);
        }
    }

    /** If a process stands still between its last look at the time and the call of a handler, this start comes late. */
    private void checkExpiry(Node node, Job job, Instant expiresAt) {
        boolean stoodStill = faults.has(Fault.Kind.PAUSE, node.name())
                || faults.has(Fault.Kind.PAUSE_IN_CALL, node.name())
                || faults.has(Fault.Kind.SUSPEND, node.name());
        if (stoodStill || faults.has(Fault.Kind.STORE_CLOCK_STEP, Faults.STORE)) {
            return;
        }
        Duration late = Duration.ofNanos(store.clockMicros() * 1_000 - expiresAt.toEpochMilli() * 1_000_000);
        if (late.compareTo(Duration.ZERO) > 0) {
            violated(
                    Check.NOT_AFTER_EXPIRY,
                    job.id(),
                    "run %d of job %s (%s) starts %s after its expiry on %s",
                    job.run(),
                    job.id(),
                    job.name(),
                    late,
                    node);
        }
    }

    /** The starts of a key. */
    private static final class Starts {

        private int count;
        private double lowest = Double.MAX_VALUE;

        /** Adds a start, and returns the maximum number of starts beyond the rate in all times that end now. */
        private double next(double rate, long nanos) {
            double beyondRate = count - rate * nanos;
            count++;
            lowest = Math.min(lowest, beyondRate);
            return beyondRate + 1 - lowest;
        }
    }

    private void checkRepetition(Job job, Life.Claim before) {
        if (job.name().equals(Workload.ONCE)) {
            violated(Check.AT_MOST_ONCE, job.id(), "run %d of job %s starts again", job.run(), job.id());
        }
        if (before.fate == Life.Fate.COMPLETED || before.fate == Life.Fate.ANSWERED) {
            return;
        }
        duplicates++;
        boolean explained = before.fate == Life.Fate.RESCUED
                ? faults.explain(before.node.name(), before.lastBeatNanos)
                : faults.has(Fault.Kind.STOP, before.node.name());
        if (!explained) {
            violated(
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

    private void checkPrompt(Job job, Life life) {
        Duration late = Duration.ofNanos(Math.min(
                store.clockMicros() * 1_000 - job.dueAt().toEpochMilli() * 1_000_000,
                truth.nanoTime() - life.readyNanos));
        if (late.compareTo(PROMPT) > 0 && !Workload.mayWait(job)) {
            violated(Check.ON_TIME, job.id(), "job %s (%s) starts %s late", job.id(), job.name(), late);
        }
    }

    void ended(Node node, Life.@Nullable Start start, JobId id) {
        history.note(node.name(), "handler ends", id, 0);
        if (start != null) {
            start.ended = true;
            lives.get(id).readyNanos = truth.nanoTime();
        }
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
        checkGroups();
        lives.values().forEach(life -> {
            Job job = store.jobs.find(life.id).orElse(null);
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
