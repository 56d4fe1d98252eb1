package io.delayjob.internal.limit;

import io.delayjob.handler.Handler;
import io.delayjob.job.DueRow;
import io.delayjob.job.Partition;
import io.delayjob.status.ClusterSlots;
import java.util.Collection;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Set;
import java.util.stream.IntStream;

/**
 * Contains this instance's slots of a handler that has one limit of concurrency for the whole cluster. Each slot
 * belongs to a partition. An instance owns the slots of the partitions that it leads.
 *
 * <pre>
 *   lease begins --> the running rows are read, the slots are blocked until then
 *                --> each attempt that ran elsewhere blocks a slot until it has ended
 *                --> an attempt starts here if fewer run here than this instance has usable slots at that moment
 * </pre>
 *
 * <p>The row of an attempt is claimed before the attempt starts. So a new leader of the partition finds the row among
 * the running rows, and blocks a slot. The lock of the tickets guards this object.
 */
final class ClusterShare implements HeldElsewhere {

    private final Handler handler;
    private final Leases leases;
    private final List<Part> parts;
    private int lanes;

    private int blocking;

    private int owned;
    private int usable;
    private int held;
    private int running;

    private static final class Part {

        private final Partition partition;
        private final int slots;

        /** Number of the lease to which {@code known} and {@code elsewhere} belong; 0 if there is no lease. */
        private long term;

        private boolean known;
        private final Set<DueRow> elsewhere = new HashSet<>();

        private Part(Partition partition, int slots) {
            this.partition = partition;
            this.slots = slots;
        }

        private void beginAnew(long newTerm) {
            term = newTerm;
            known = false;
            elsewhere.clear();
        }
    }

    ClusterShare(Handler handler, Leases leases) {
        this.handler = handler;
        this.leases = leases;
        int partitions = leases.partitions();
        SlotDeal deal = Objects.requireNonNull(SlotDeal.of(handler, partitions), "without a limit in the cluster");
        parts = IntStream.range(0, partitions)
                .filter(index -> deal.slotsOf(index) > 0)
                .mapToObj(index -> new Part(new Partition(handler.queue(), index), deal.slotsOf(index)))
                .toList();
        look();
    }

    void addLane() {
        lanes++;
    }

    void removeLane() {
        lanes--;
    }

    boolean hasManyLanes() {
        return lanes > 1;
    }

    // ---- slots

    void look() {
        owned = 0;
        usable = 0;
        int blocked = 0;
        boolean toRead = false;
        for (Part part : parts) {
            long now = leases.termOf(part.partition);
            if (now == 0) {
                continue;
            }
            owned += part.slots;
            if (now != part.term) {
                part.beginAnew(now);
                toRead = true;
            } else if (part.known) {
                usable += part.slots;
                blocked += Math.min(part.slots, part.elsewhere.size());
            }
        }
        usable -= Math.min(blocked, blocking);
        if (toRead) {
            leases.onRunningToRead().run();
        }
    }

    /** Returns how many jobs a lane may hold; the number may be zero or negative. */
    int mostFor(int heldByLane) {
        return usable - (held - heldByLane);
    }

    boolean isOwner() {
        if (owned == 0) {
            // A lease may have begun just now.
            look();
        }
        return owned > 0;
    }

    boolean hasFree() {
        return held < usable;
    }

    boolean leavesPartitionsOut() {
        return parts.size() < leases.partitions();
    }

    void reserve() {
        held++;
    }

    /** Counts the usable slots again, because a lease may have ended since the claim. */
    boolean mayStart() {
        look();
        return running < usable;
    }

    void start() {
        running++;
    }

    void end() {
        running--;
        held--;
    }

    void leave() {
        held--;
    }

    ClusterSlots toStatus() {
        look();
        return new ClusterSlots(handler.concurrency(), owned, owned - usable, running);
    }

    // ---- rows that run on other instances

    @Override
    public Map<Partition, Long> unread() {
        Map<Partition, Long> unread = new HashMap<>();
        for (Part part : parts) {
            long now = leases.termOf(part.partition);
            if (part.term != now) {
                part.beginAnew(now);
            }
            if (now != 0 && !part.known) {
                unread.put(part.partition, now);
            }
        }
        countBlocking();
        return unread;
    }

    /** A call may send a job of the handler to any queue. */
    @Override
    public boolean mayLieIn(Partition home, Partition place) {
        return true;
    }

    @Override
    public boolean isUsedUpBy(DueRow running) {
        return handler.names().contains(running.name());
    }

    @Override
    public void learn(Partition home, long ofTerm, Collection<DueRow> running) {
        for (Part part : parts) {
            if (part.partition.equals(home) && part.term == ofTerm && !part.known) {
                running.stream().filter(this::isUsedUpBy).forEach(part.elsewhere::add);
                part.known = true;
            }
        }
        countBlocking();
    }

    @Override
    public Set<DueRow> awaited() {
        Set<DueRow> all = new HashSet<>();
        parts.forEach(part -> all.addAll(part.elsewhere));
        return all;
    }

    @Override
    public void ended(Collection<DueRow> rows) {
        parts.forEach(part -> rows.forEach(part.elsewhere::remove));
        countBlocking();
    }

    private void countBlocking() {
        blocking = awaited().size();
        look();
    }
}
