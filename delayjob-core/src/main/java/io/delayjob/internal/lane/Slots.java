package io.delayjob.internal.lane;

import io.delayjob.status.SlotUse;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;

/**
 * The worker slots of one queue on this instance, and the lanes that compete for them. The lanes keep the sums. Guarded
 * by the lock of {@link Tickets}.
 */
public final class Slots {

    final String queue;
    final int limit;
    final Turns<Lane> claimTurns = new Turns<>();
    final Turns<Lane> startTurns = new Turns<>();
    final List<Lane> lanes = new ArrayList<>();

    /** Number of slots taken. */
    int taken;

    /** Number of slots taken by slow handlers. It is unknown when they become free. */
    int takenBySlow;

    /** Number of slots taken by slow handlers, and of their claims that wait for a slot. */
    int heldBySlow;

    /** Number of fast handlers that have anything to start, now or soon. */
    int busyFastLanes;

    /** @param limit number of slots */
    public Slots(String queue, int limit) {
        this.queue = queue;
        this.limit = limit;
    }

    /** Returns the name of the queue. */
    public String queue() {
        return queue;
    }

    /** Returns how many slots are taken and claimed for. */
    public SlotUse use() {
        return new SlotUse(taken, lanes.stream().mapToInt(Lane::waitingForSlot).sum(), limit);
    }

    /** Lets the lanes with ready rows claim in turn; {@code null} if none of them has a row to claim. */
    public @Nullable Ticket claim(Function<Lane, @Nullable Ticket> claim) {
        return claimTurns.next(claim);
    }

    /** Gives a free slot to the next claimed job; {@code null} if there is no free slot or no such job. */
    public @Nullable Ticket start() {
        return taken < limit ? startTurns.next(Lane::start) : null;
    }

    /**
     * Gives up the claimed jobs that have waited for a slot for longer than that, until this time. The duration of a
     * hanging attempt is unknown until it ends. But if a job waited without getting a slot, each job in a slot takes at
     * least as long. So no more jobs are claimed ahead.
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
