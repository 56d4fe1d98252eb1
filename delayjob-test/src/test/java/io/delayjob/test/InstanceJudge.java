package io.delayjob.test;

import io.delayjob.job.Partition;
import java.time.Duration;
import java.util.HashMap;
import java.util.Map;
import java.util.Objects;

/** Checks which instances lead partitions, and which instances are given up. */
final class InstanceJudge {

    private final Judge judge;
    private final VirtualClock truth;
    private final Faults faults;
    private final History history;
    private final long livenessNanos;
    private final Map<Long, Owner> owners = new HashMap<>();

    InstanceJudge(Judge judge, VirtualClock truth, Faults faults, History history, Duration liveness) {
        this.judge = judge;
        this.truth = truth;
        this.faults = faults;
        this.history = history;
        this.livenessNanos = liveness.toNanos();
    }

    /** An instance under the number with which it claims jobs. */
    static final class Owner {
        final Node node;
        final long registeredNanos;
        long lastBeatNanos;

        Owner(Node node, long nanos) {
            this.node = node;
            registeredNanos = nanos;
            lastBeatNanos = nanos;
        }
    }

    Owner owner(long number) {
        return Objects.requireNonNull(owners.get(number));
    }

    void registered(Node node, long number) {
        owners.put(number, new Owner(node, truth.nanoTime()));
        history.note(node.name(), "registers", null, number);
    }

    void beaten(long number) {
        Owner owner = owner(number);
        owner.lastBeatNanos = truth.nanoTime();
        owner.node.led().forEach(partition -> checkOneLeader(owner.node, partition));
    }

    void givenUp(Node by, long number) {
        Owner owner = owner(number);
        history.note(by.name(), "gives up", null, number);
        long silence = truth.nanoTime() - owner.lastBeatNanos;
        if (silence < livenessNanos) {
            judge.violated(
                    Check.SILENT_BEFORE_LOST,
                    null,
                    "%s (number %d) was given up by %s after a silence of %s",
                    owner.node,
                    number,
                    by,
                    Duration.ofNanos(silence));
        } else if (owner.node.lives() && !faults.explain(owner.node.name(), owner.lastBeatNanos)) {
            judge.violated(
                    Check.SILENT_BEFORE_LOST,
                    null,
                    "%s (number %d) fell silent although nothing went wrong with it",
                    owner.node,
                    number);
        }
    }

    void leads(Node node, Partition partition) {
        history.note(node.name(), "leads", null, partition.hashCode());
        judge.limits().leads(node, partition);
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
        for (Node other : judge.nodes()) {
            boolean twoLeaders = other != node
                    && other.lives()
                    && other.leads(partition)
                    && !faults.has(Fault.Kind.STORE_CLOCK_STEP, Faults.STORE)
                    && !faults.has(Fault.Kind.SUSPEND, node.name())
                    && !faults.has(Fault.Kind.SUSPEND, other.name());
            if (twoLeaders) {
                judge.violated(Check.ONE_LEADER, null, "%s leads %s while %s does", node, partition, other);
            }
        }
    }
}
