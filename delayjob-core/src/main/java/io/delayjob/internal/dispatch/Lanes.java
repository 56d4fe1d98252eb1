package io.delayjob.internal.dispatch;

import io.delayjob.handler.HandlerRegistry;
import io.delayjob.job.Job;
import io.delayjob.job.JobId;
import io.delayjob.job.Paused;
import io.delayjob.status.SlotUse;
import io.delayjob.time.EngineClock;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import java.util.function.BooleanSupplier;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;

/**
 * The way of the known jobs from due to ended, a lane for each handler and queue, and the slots that they compete for.
 *
 * <pre>
 *            offer            toClaim             claimed              finished
 *   due row -------> ready -----------> claiming ---------> claimed ------------> running --> (slot free)
 *                      |-- dropped: known, set aside,  |       ^
 *                      |   paused, no handler here     |       | comeDue
 *                      '-- refused: no room; the       '--> coming, if it was offered ahead of its time
 *                          sweep comes back for it
 * </pre>
 *
 * <p>Thread-safe.
 */
public final class Lanes {

    private final Tickets tickets;
    private final Intake intake;
    private final EngineClock clock;
    private final ClaimQueue claims;
    private final Wakes wakes;

    /** A stop waits for it. */
    private @Nullable CountDownLatch allFree;

    /** Who is to be called. */
    public interface Wakes {

        /** A lane that had refused rows has room for a good many again, or one that had enough no longer has. */
        void room();

        /** There may be something to claim or to release. */
        void work();
    }

    /**
     * @param lead how long before their time rows may be claimed
     * @param expectsRows whether rows wait in memory for their time
     */
    public Lanes(
            HandlerRegistry handlers,
            WorkedQueues worked,
            EngineClock clock,
            ClaimLead lead,
            Bounds bounds,
            BooleanSupplier expectsRows,
            Wakes wakes) {
        this.clock = clock;
        this.wakes = wakes;
        tickets = new Tickets(handlers, worked, clock, bounds);
        intake = new Intake(tickets, handlers, clock, wakes::work);
        claims = new ClaimQueue(tickets, intake, clock, lead, expectsRows, wakes);
    }

    /** Where due rows come in. */
    public Intake intake() {
        return intake;
    }

    /** Where rows to be claimed come from. */
    ClaimQueue claims() {
        return claims;
    }

    // ---- start

    /** Takes the claimed jobs that have a slot; the slots are theirs until {@link #finished}. */
    List<Ticket> toStart() {
        List<Ticket> start = new ArrayList<>();
        synchronized (tickets) {
            for (Slots queue : tickets.queues.values()) {
                Ticket next;
                while ((next = queue.start()) != null) {
                    start.add(next);
                }
            }
        }
        return start;
    }

    /**
     * Frees the slot of an attempt and gives it to the next claimed job of its queue, if there is one.
     *
     * @param took how long the handler took; {@code null} if it was not called
     */
    @Nullable
    Ticket finished(Ticket ticket, @Nullable Duration took) {
        Ticket next;
        boolean wantsClaim;
        synchronized (tickets) {
            Lane lane = ticket.lane;
            if (took != null) {
                lane.measured(took.toNanos());
            }
            tickets.remove(ticket);
            next = lane.slots.start();
            tellIfAllFree();
            wantsClaim = next == null || lane.wantsClaim() || next.lane.wantsClaim();
        }
        if (wantsClaim) {
            wakes.work();
        }
        return next;
    }

    // ---- return

    /** Takes back a claimed job that has a slot and cannot be started: the slot stays its own until {@link #finished}. */
    void giveBack(Ticket ticket) {
        synchronized (tickets) {
            tickets.unstarted.add(ticket.job());
        }
        wakes.work();
    }

    /** Leaves this claimed job to other instances for a while: it cannot be read here. */
    void setAside(Ticket ticket) {
        synchronized (tickets) {
            tickets.setAside(ticket);
        }
        giveBack(ticket);
    }

    /**
     * Takes the claimed jobs to be released: those given back, and those without a slot for so long since they were
     * claimed. Nothing is measured of attempts that hang before they end. That their slots were waited for in vain tells
     * that these handlers are not as fast as they were, so that nothing more is claimed ahead.
     */
    List<Job> toRelease(Duration overstay) {
        Instant before = clock.storeTime().minus(overstay);
        synchronized (tickets) {
            for (Slots queue : tickets.queues.values()) {
                List<Ticket> overstayed = new ArrayList<>(0);
                queue.lanes.forEach(lane -> overstayed.addAll(lane.dropOverstayed(before)));
                overstayed.forEach(tickets::giveUp);
                if (!overstayed.isEmpty()) {
                    queue.waitedInVain(overstay.toNanos());
                }
            }
            List<Job> unstarted = List.copyOf(tickets.unstarted);
            tickets.unstarted.clear();
            return unstarted;
        }
    }

    /** Whether claimed jobs wait to be released. */
    boolean hasUnstarted() {
        synchronized (tickets) {
            return !tickets.unstarted.isEmpty();
        }
    }

    /** Whether claimed jobs wait for a slot, or for their time. */
    boolean hasClaimed() {
        synchronized (tickets) {
            return tickets.lanes().stream().anyMatch(lane -> lane.waitingForSlot() > 0);
        }
    }

    // ---- forget

    /**
     * Takes no more rows, forgets those that are ready, and gives back claimed jobs without a slot, and those that claims
     * under way bring.
     */
    public void close() {
        synchronized (tickets) {
            tickets.close();
        }
    }

    /** Forgets the rows that are ready, and gives back claimed jobs without a slot. */
    public void forget() {
        synchronized (tickets) {
            tickets.lanes().forEach(tickets::forget);
        }
        wakes.work();
    }

    /**
     * From now on these handlers and queues are paused, and no others. Forgets their rows, takes no more of them, and
     * gives back their claimed jobs without a slot. Attempts under way go on.
     */
    public void follow(Paused pauses) {
        synchronized (tickets) {
            tickets.follow(pauses);
        }
        wakes.work();
    }

    // ---- look

    /** Those of these jobs that an attempt may be made of, or is. */
    Set<JobId> held(Set<JobId> jobs) {
        synchronized (tickets) {
            return jobs.stream().filter(tickets::knows).collect(Collectors.toSet());
        }
    }

    /** Rows that are due, or about to come due, and not claimed. */
    public int ready() {
        synchronized (tickets) {
            return tickets.room.ready;
        }
    }

    /** Slots taken, over all queues. */
    public int slotsTaken() {
        synchronized (tickets) {
            return tickets.queues.values().stream()
                    .mapToInt(queue -> queue.taken)
                    .sum();
        }
    }

    /** Waits until every slot is free; answers how many are still taken. */
    int awaitFreeSlots(Duration atMost) {
        CountDownLatch free = new CountDownLatch(1);
        synchronized (tickets) {
            allFree = free;
            tellIfAllFree();
        }
        try {
            free.await(atMost.toNanos(), TimeUnit.NANOSECONDS);
        } catch (InterruptedException stopNow) {
            Thread.currentThread().interrupt();
        }
        return slotsTaken();
    }

    private void tellIfAllFree() {
        if (allFree != null && slotsTaken() == 0) {
            allFree.countDown();
        }
    }

    /** Slots taken, jobs claimed for one, and slots there are, by queue. */
    public Map<String, SlotUse> slotUse() {
        Map<String, SlotUse> use = new TreeMap<>();
        synchronized (tickets) {
            tickets.queues.forEach((name, queue) -> use.put(name, queue.use()));
        }
        return use;
    }
}
