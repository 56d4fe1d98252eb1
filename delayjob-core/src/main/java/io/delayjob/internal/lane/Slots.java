package io.delayjob.internal.lane;

import io.delayjob.status.SlotUse;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;

/**
 * Contains the worker slots of one queue on this instance, and the lanes that compete for them. The lanes update the
 * numbers of taken and held slots. The lock of {@link Tickets} guards this object.
 */
public final class Slots {

    final String queue;
    final int limit;
    final Turns<Lane> claimTurns = new Turns<>();
    final Turns<Lane> startTurns = new Turns<>();
    final List<Lane> lanes = new ArrayList<>();

    int taken;

    int takenBySlow;

    /**
     * Sum of two numbers: the slots that slow handlers use, and the claimed jobs of slow handlers that still wait for a
     * slot.
     */
    int heldBySlow;

    int busyFastLanes;

    public Slots(String queue, int limit) {
        this.queue = queue;
        this.limit = limit;
    }

    public String queue() {
        return queue;
    }

    public SlotUse use() {
        return new SlotUse(taken, lanes.stream().mapToInt(Lane::waitingForSlot).sum(), limit);
    }

    public @Nullable Ticket claim(Function<Lane, @Nullable Ticket> claim) {
        return claimTurns.next(claim);
    }

    public @Nullable Ticket start() {
        return taken < limit ? startTurns.next(Lane::start) : null;
    }

    /**
     * While attempts hang, no more jobs may be claimed in advance. To prevent such claims, this method records the
     * waiting time as the run time of the running attempts.
     */
    public void giveUpOverstayed(Instant now, Duration overstay) {
        Instant before = now.minus(overstay);
        boolean any = false;
        for (Lane lane : lanes) {
            any |= lane.giveUpClaimed(before);
        }
        if (any) {
            lanes.stream().filter(lane -> lane.limits.running() > 0).forEach(lane -> lane.measured(overstay.toNanos()));
        }
    }
}
