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
import java.util.function.BooleanSupplier;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;

/**
 * Leads the known jobs from due to ended. There is a lane for each handler and queue; lanes of a queue compete for its
 * slots.
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

    /** Hears of room and of work. */
    public interface Wakes {

        /** Reports that a lane that had refused rows has much room again, or that a lane no longer has enough rows. */
        void room();

        /** Reports that there may be something to claim or to release. */
        void work();
    }

    /**
     * @param lead time before their due time at which rows may be claimed
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
        tickets = new Tickets(this, handlers, worked, clock, bounds);
        intake = new Intake(tickets, handlers, clock, wakes::work);
        claims = new ClaimQueue(tickets, intake, clock, lead, expectsRows, wakes);
    }

    /** Returns the intake for due rows. */
    public Intake intake() {
        return intake;
    }

    /** Returns the source of rows to be claimed. */
    ClaimQueue claims() {
        return claims;
    }

    // ---- start

    /** Takes the claimed jobs that have a slot. They keep their slots until {@link #finished}. */
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
     * @param took run time of the handler; {@code null} if it was not called
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
            wantsClaim = next == null || lane.wantsClaim() || next.lane.wantsClaim();
        }
        if (wantsClaim) {
            wakes.work();
        }
        return next;
    }

    // ---- return

    /**
     * Takes back a claimed job that has a slot and cannot be started. The attempt keeps the slot until {@link
     * #finished}.
     */
    void giveBack(Ticket ticket) {
        synchronized (tickets) {
            tickets.unstarted.add(ticket.job());
        }
        wakes.work();
    }

    /** Leaves this claimed job to other instances for a while, because it cannot be read here. */
    void setAside(Ticket ticket) {
        synchronized (tickets) {
            tickets.setAside(ticket);
        }
        giveBack(ticket);
    }

    /**
     * Takes the claimed jobs that must be released: jobs that were given back, and jobs that have waited for a slot for
     * longer than {@code overstay}. The duration of a hanging attempt is unknown until it ends. But if a job waited
     * without getting a slot, its handler has become slower. So no more jobs are claimed ahead.
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

    /** Tells whether claimed jobs wait to be released. */
    boolean hasUnstarted() {
        synchronized (tickets) {
            return !tickets.unstarted.isEmpty();
        }
    }

    /** Tells whether claimed jobs wait for a slot, or for their time. */
    boolean hasClaimed() {
        synchronized (tickets) {
            return tickets.lanes().stream().anyMatch(lane -> lane.waitingForSlot() > 0);
        }
    }

    // ---- forget

    /**
     * Closes all lanes: takes no more rows, and forgets the rows that are ready. Gives back claimed jobs without a
     * slot, and the jobs of claims under way.
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
     * Pauses these handlers and queues from now on, and no others. Forgets their rows, takes no more of them, and gives
     * back their claimed jobs without a slot. Attempts under way go on.
     */
    public void follow(Paused pauses) {
        synchronized (tickets) {
            tickets.follow(pauses);
        }
        wakes.work();
    }

    // ---- look

    /** Returns the jobs among these that are being attempted or may be attempted. */
    public Set<JobId> held(Set<JobId> jobs) {
        synchronized (tickets) {
            return jobs.stream().filter(tickets::knows).collect(Collectors.toSet());
        }
    }

    /** Returns the number of unclaimed rows that are due or about to come due. */
    public int ready() {
        synchronized (tickets) {
            return tickets.room.ready;
        }
    }

    /** Returns the number of slots taken, over all queues. */
    public int slotsTaken() {
        synchronized (tickets) {
            return tickets.queues.values().stream()
                    .mapToInt(queue -> queue.taken)
                    .sum();
        }
    }

    /** Returns for each queue the numbers of slots taken, of jobs claimed for a slot, and of all slots. */
    public Map<String, SlotUse> slotUse() {
        Map<String, SlotUse> use = new TreeMap<>();
        synchronized (tickets) {
            tickets.queues.forEach((name, queue) -> use.put(name, queue.use()));
        }
        return use;
    }
}
