package io.delayjob.test;

import io.delayjob.handler.RateLimit;
import io.delayjob.job.Job;
import io.delayjob.job.Partition;
import java.time.Duration;
import java.time.Instant;
import java.util.Collection;
import java.util.HashMap;
import java.util.List;
import java.util.Map;

/** Checks at each start of an attempt whether the limits of its job allow it: mutex, concurrency, rates, expiry. */
final class LimitJudge {

    /** Store time has only milliseconds. */
    private static final double ROUNDING = 0.01;

    private final Judge judge;
    private final VirtualClock truth;
    private final SharedStore store;
    private final Faults faults;

    /** The starts of attempts of the handler with a rate. */
    private final Starts ofHandler = new Starts(FocusedCalls.RATE);

    /** The starts of attempts, by the key of their rate. */
    private final Map<String, Starts> byKey = new HashMap<>();

    LimitJudge(Judge judge, VirtualClock truth, SharedStore store, Faults faults) {
        this.judge = judge;
        this.truth = truth;
        this.store = store;
        this.faults = faults;
    }

    /** Records that an instance begins to lead this partition. */
    void leads(Node node, Partition partition) {
        if (node.led().stream().allMatch(partition::equals)) {
            ofHandler.instances++;
        }
    }

    void started(Node node, Job job, Life life) {
        // A lease table whose clock is set forward ends leases that their holders still trust. Then two instances may
        // decide about the same mutex, slot or rate.
        if (faults.has(Fault.Kind.STORE_CLOCK_STEP, Faults.STORE)) {
            return;
        }
        if (life.mutex != null) {
            checkMutex(job, life);
        }
        if (FocusedCalls.isLimited(job)) {
            checkLimit(job);
        }
        // If a process stands still between its last look at a lease or at the time and the call of a handler, this
        // start comes late, and so it does not count.
        if (stoodStill(node)) {
            return;
        }
        if (FocusedCalls.hasRate(job)) {
            checkRate(job);
        }
        if (life.rateKey != null) {
            checkKeyRate(job, life.rateKey);
        }
        if (life.expiresAfter != null) {
            checkExpiry(node, job, job.plannedAt().plus(life.expiresAfter));
        }
    }

    private boolean stoodStill(Node node) {
        return faults.has(Fault.Kind.PAUSE, node.name())
                || faults.has(Fault.Kind.PAUSE_IN_CALL, node.name())
                || faults.has(Fault.Kind.SUSPEND, node.name());
    }

    private void checkMutex(Job job, Life life) {
        for (Life other : judge.lives()) {
            if (other == life || !life.mutex.equals(other.mutex)) {
                continue;
            }
            for (Life.Start start : other.starts) {
                if (start.isUnderWay() && start.claim.fate != Life.Fate.RESCUED) {
                    judge.violated(
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

    private void checkLimit(Job job) {
        List<Life.Start> underWay = judge.lives().stream()
                .filter(other -> other.name.equals(job.name()))
                .flatMap(other -> other.starts.stream())
                .filter(start -> start.isUnderWay() && start.claim.fate != Life.Fate.RESCUED)
                .toList();
        if (underWay.size() >= FocusedCalls.LIMIT) {
            judge.violated(
                    Check.CLUSTER_LIMIT_HELD,
                    job.id(),
                    "job %s (%s) starts while %d attempts are under way on %s",
                    job.id(),
                    job.name(),
                    underWay.size(),
                    underWay.stream().map(start -> start.claim.node).toList());
        }
    }

    private void checkRate(Job job) {
        double started = ofHandler.next(truth.nanoTime(), judge.nodes());
        if (started > FocusedCalls.RATE.burst() + ROUNDING) {
            judge.violated(
                    Check.RATE_HELD,
                    job.id(),
                    "job %s (%s) starts, and %.2f attempts beyond the rate of %s and one for each instance",
                    job.id(),
                    job.name(),
                    started,
                    FocusedCalls.RATE);
        }
    }

    private void checkKeyRate(Job job, String key) {
        double most = FocusedCalls.KEY_RATE.burst() + 1 + 1 + ROUNDING;
        double started = byKey.computeIfAbsent(key, first -> new Starts(FocusedCalls.KEY_RATE))
                .next(truth.nanoTime(), List.of());
        if (started > most) {
            judge.violated(
                    Check.KEY_RATE_HELD,
                    job.id(),
                    "job %s (%s) starts, and %.2f attempts of its key '%s' beyond the rate of %s",
                    job.id(),
                    job.name(),
                    started,
                    key,
                    FocusedCalls.KEY_RATE);
        }
    }

    private void checkExpiry(Node node, Job job, Instant expiresAt) {
        Duration late = Duration.ofNanos(store.clockMicros() * 1_000 - expiresAt.toEpochMilli() * 1_000_000);
        if (late.compareTo(Duration.ZERO) > 0) {
            judge.violated(
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

    /** The starts that one rate counts. */
    private static final class Starts {

        private final double rate;
        private int count;
        private double lowest = Double.MAX_VALUE;

        /** Number of times that an instance has begun to lead partitions. Each of them allows one more start. */
        private int instances;

        private Starts(RateLimit limit) {
            rate = limit.startsPerNano();
        }

        /**
         * Adds a start. For all times that end now, returns the maximum number of starts beyond the rate and beyond one
         * for each instance.
         *
         * @param nodes the instances so far; each of them that lives allows one more start
         */
        private double next(long nanos, Collection<Node> nodes) {
            double beyondRate = count - rate * nanos - instances;
            count++;
            lowest = Math.min(
                    lowest, beyondRate + nodes.stream().filter(Node::lives).count());
            return beyondRate + 1 - lowest;
        }
    }
}
