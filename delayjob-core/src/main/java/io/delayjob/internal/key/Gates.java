package io.delayjob.internal.key;

import io.delayjob.handler.Handler;
import io.delayjob.internal.lane.Gate;
import io.delayjob.internal.lane.Lane;
import io.delayjob.internal.lane.Ticket;
import io.delayjob.internal.lane.Tickets;
import io.delayjob.internal.limit.HeldElsewhere;
import io.delayjob.internal.limit.KeyedRate;
import io.delayjob.internal.limit.Leases;
import io.delayjob.job.ClaimKeys;
import io.delayjob.job.DueRow;
import io.delayjob.status.BusyMutex;
import io.delayjob.status.LimitedKey;
import io.delayjob.time.EngineClock;
import java.util.Collection;
import java.util.Comparator;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

/**
 * Decides about rows with a key. The key selects a partition. Only the leader of this partition may claim such a row.
 * If a {@link Gate} for the row is shut, the row's ticket waits at this gate, outside of its lane. The lock of {@link
 * Tickets} guards all methods except {@link #decidesAbout}.
 */
public final class Gates {

    /** Maximum number of unused keys that each lane keeps in memory. Together, these keys need some 20 MB. */
    public static final int MOST_IDLE_KEYS = 50_000;

    private final Tickets tickets;
    private final Leases leases;
    private final EngineClock clock;
    private final Mutexes mutexes;

    private final Map<Lane, KeyRates> rates = new LinkedHashMap<>();

    public Gates(Tickets tickets, Leases leases, EngineClock clock) {
        this.tickets = tickets;
        this.leases = leases;
        this.clock = clock;
        this.mutexes = new Mutexes(tickets, leases);
    }

    /** Any thread may call this method. */
    public boolean decidesAbout(Handler handler, DueRow row) {
        String key = keyOf(handler, row);
        return key == null || leases.termOf(leases.homeOf(row.partition().queue(), key)) != 0;
    }

    private static @Nullable String keyOf(Handler handler, DueRow row) {
        return ClaimKeys.deciding(row.keys(), handler.rateBy() != null);
    }

    // ---- a ticket at the gates

    /** Returns the gate that is shut for the ticket, or {@code null} if the ticket may enter its lane. */
    public @Nullable Gate shut(Ticket ticket) {
        KeyRate rate = rateOf(ticket);
        if (rate != null && !rate.isOpen()) {
            return rate;
        }
        Mutex mutex = mutexes.of(ticket.row());
        if (mutex != null && !mutex.isFree()) {
            return mutex;
        }
        if (mutex != null) {
            mutex.forgetIfIdle();
        }
        ticket.enterBy(rate);
        return null;
    }

    private @Nullable KeyRate rateOf(Ticket ticket) {
        Lane lane = ticket.lane();
        KeyedRate rate = lane.limits().keyed();
        if (rate == null) {
            return null;
        }
        String key = Objects.requireNonNull(keyOf(lane.handler(), ticket.row()));
        return ticket.letInBy() instanceof KeyRate known && known.isOf(key)
                ? known
                : rates.computeIfAbsent(lane, unused -> new KeyRates(lane, rate, tickets, clock))
                        .of(key);
    }

    /**
     * If the mutex is held, the ticket waits at the gate of the mutex. If no token is left, the ticket waits at the
     * gate of the rate.
     *
     * @return whether the row may be claimed
     */
    public boolean take(Ticket ticket) {
        ticket.comes();
        if (!decidesAbout(ticket.lane().handler(), ticket.row())) {
            tickets.drop(ticket);
            return false;
        }
        KeyRate rate = rateOf(ticket);
        if (rate != null && !rate.hasToken()) {
            rate.add(ticket);
            return false;
        }
        Mutex mutex = mutexes.of(ticket.row());
        if (mutex != null && !mutex.isFree()) {
            mutex.add(ticket);
            return false;
        }
        if (mutex != null) {
            mutex.take(ticket);
        }
        if (rate != null) {
            rate.take(ticket);
        }
        return true;
    }

    /** The caller must remove the tickets in the lane at the same time. */
    public void drop(Lane lane) {
        mutexes.drop(lane);
        KeyRates keys = rates.get(lane);
        if (keys != null) {
            keys.dropAll();
        }
    }

    public void forget(Collection<Lane> unused) {
        rates.keySet().removeAll(unused);
    }

    // ---- time

    public void follow() {
        rates.values().forEach(KeyRates::follow);
    }

    /** Returns {@link Long#MAX_VALUE} if no ticket waits. */
    public long untilNanos() {
        long until = Long.MAX_VALUE;
        for (KeyRates keys : rates.values()) {
            until = Math.min(until, keys.untilNanos());
        }
        return until;
    }

    // ---- views of the gates

    public HeldElsewhere heldElsewhere() {
        return mutexes;
    }

    public int waitingForRate(Lane lane) {
        KeyRates keys = rates.get(lane);
        return keys == null ? 0 : keys.waiting();
    }

    public int known() {
        return rates.values().stream().mapToInt(KeyRates::known).sum();
    }

    public List<LimitedKey> limitedKeys() {
        return rates.values().stream()
                .flatMap(KeyRates::toStatus)
                .sorted(Comparator.comparingInt(LimitedKey::waiting).reversed().thenComparing(LimitedKey::key))
                .limit(LimitedKey.MOST_LISTED)
                .toList();
    }

    public int waitingForMutex() {
        return mutexes.waiting();
    }

    public List<BusyMutex> busyMutexes() {
        return mutexes.busy();
    }
}
