package io.delayjob.internal.dispatch;

import io.delayjob.handler.Handler;
import io.delayjob.job.ClaimKeys;
import io.delayjob.job.DueRow;
import io.delayjob.job.Partition;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import java.util.function.ToLongFunction;
import org.jspecify.annotations.Nullable;

/**
 * Decides about rows with a key, which only one instance may claim: the leader of the partition that the hash of the key
 * names. Such a row passes its {@link Gate}s just before its claim. It gives back what it holds when its ticket leaves
 * the lane.
 *
 * <p>Rows without a key never come here. Guarded by the lock of {@link Lanes}, except {@link #decidesAbout}.
 */
final class Gates {

    private final Lanes lanes;
    private final int partitions;
    private final ToLongFunction<Partition> term;
    final Mutexes mutexes;

    /** @param partitions number of partitions of a queue */
    Gates(Lanes lanes, int partitions, Neighbours neighbours) {
        this.lanes = lanes;
        this.partitions = partitions;
        this.term = neighbours.term();
        this.mutexes = new Mutexes(lanes, partitions, neighbours);
    }

    /** Tells whether this instance may claim this row, which has a key or not. Any thread may ask. */
    boolean decidesAbout(Handler handler, DueRow row) {
        String key = keyOf(handler, row);
        return key == null || term.applyAsLong(Partition.ofKey(row.partition().queue(), key, partitions)) != 0;
    }

    /** Tells whether only the leader of one partition may claim rows like this one. */
    static boolean hasKey(Handler handler, DueRow row) {
        return handler.rateBy() != null || row.mutex() != null;
    }

    private static @Nullable String keyOf(Handler handler, DueRow row) {
        return ClaimKeys.deciding(row.keys(), handler.rateBy() != null);
    }

    // ---- a ticket's way

    /** Returns the gate at which this ticket has to wait; {@code null} if it may enter its lane. */
    @Nullable
    Gate shut(Ticket ticket) {
        KeyRate rate = rateOf(ticket);
        return rate == null || rate.isOpen() ? busyMutex(ticket) : rate;
    }

    private @Nullable KeyRate rateOf(Ticket ticket) {
        KeyRates rates = ticket.lane.rates;
        return rates == null ? null : rates.of(Objects.requireNonNull(keyOf(ticket.lane.handler, ticket.row())));
    }

    /** Notes that a ticket has entered its lane without waiting. A token is promised to it. */
    void enters(Ticket ticket) {
        KeyRate rate = rateOf(ticket);
        if (rate != null) {
            rate.lets(ticket);
        }
    }

    private @Nullable Mutex busyMutex(Ticket ticket) {
        if (!ticket.hasMutex()) {
            return null;
        }
        Mutex mutex = mutexes.of(ticket);
        if (!mutex.isFree()) {
            return mutex;
        }
        mutex.forgetIfIdle();
        return null;
    }

    /**
     * Takes what a ticket needs whose turn has come. If that is not free, the ticket waits beside its lane. If another
     * instance decides about the key now, the ticket is dropped.
     *
     * @return whether the row may be claimed
     */
    boolean take(Ticket ticket) {
        if (ticket.letInBy != null) {
            ticket.letInBy.comes(ticket);
        }
        if (!decidesAbout(ticket.lane.handler, ticket.row())) {
            lanes.drop(ticket);
            return false;
        }
        KeyRate rate = rateOf(ticket);
        Gate shut = rate != null && rate.bucket.free() <= 0 ? rate : busyMutex(ticket);
        if (shut != null) {
            shut.add(ticket);
            return false;
        }
        if (ticket.hasMutex()) {
            mutexes.of(ticket).take(ticket);
        }
        if (rate != null) {
            rate.take(ticket);
        }
        return true;
    }

    /** Takes note of the answer to the claim of a ticket. */
    void answered(Ticket ticket) {
        if (ticket.mutex != null) {
            ticket.mutex.answered(ticket);
        }
        if (ticket.rate != null) {
            ticket.rate.answered(ticket);
        }
    }

    /** Tells whether a claimed ticket may start here. Its token is lost if the lease has ended under which it was taken. */
    boolean mayStart(Ticket ticket) {
        return ticket.rate == null || ticket.rate.bucket.isLed();
    }

    /** Takes the token of a ticket that starts. */
    void start(Ticket ticket) {
        if (ticket.rate != null) {
            ticket.rate.start(ticket);
        }
    }

    /** Gives back what a ticket holds that leaves its lane. */
    void free(Ticket ticket) {
        if (ticket.rate != null) {
            ticket.rate.free(ticket);
        }
        if (ticket.mutex != null) {
            mutexes.free(ticket);
        }
    }

    /** Drops a ticket that waits at a gate, if the newer version of its row has another key or none. */
    boolean dropsInFavourOf(Ticket newer, Ticket waiting) {
        Gate gate = waiting.waitsAt;
        if (gate == null || Objects.equals(waiting.row().keys(), newer.row().keys())) {
            return false;
        }
        gate.drop(waiting);
        gate.forgetIfIdle();
        return true;
    }

    /** Takes out the waiting tickets of a lane. */
    List<Ticket> takeAll(Lane lane) {
        List<Ticket> taken = new ArrayList<>(mutexes.takeAll(lane));
        if (lane.rates != null) {
            taken.addAll(lane.rates.takeAll());
        }
        return taken;
    }
}
