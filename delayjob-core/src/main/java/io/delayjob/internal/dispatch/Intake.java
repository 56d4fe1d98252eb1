package io.delayjob.internal.dispatch;

import io.delayjob.handler.Handler;
import io.delayjob.handler.HandlerRegistry;
import io.delayjob.internal.preload.Capacity;
import io.delayjob.internal.preload.DueIntake;
import io.delayjob.job.DueRow;
import io.delayjob.job.Printable;
import io.delayjob.time.EngineClock;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Collection;
import java.util.List;
import java.util.Set;
import java.util.TreeSet;
import java.util.concurrent.ConcurrentHashMap;
import java.util.function.BiFunction;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Takes due rows from the wheel and from the sweeps, and tells both how many rows there is room for.
 *
 * <p>Thread-safe.
 */
public final class Intake implements DueIntake, Capacity {

    private static final Logger log = LoggerFactory.getLogger(Intake.class);

    /** Maximum number of names without a handler that the log mentions, each once. */
    private static final int MAX_MENTIONED = 1_000;

    /** If no job has come due on time for this long, and none is about to, both claimers may claim overdue rows. */
    private static final long CALM_NANOS = Duration.ofSeconds(10).toNanos();

    private final Tickets tickets;
    private final HandlerRegistry handlers;
    private final EngineClock clock;
    private final Runnable onWork;
    private @Nullable Long cameDueNanos;
    private final Set<String> unknownNames = ConcurrentHashMap.newKeySet();

    Intake(Tickets tickets, HandlerRegistry handlers, EngineClock clock, Runnable onWork) {
        this.tickets = tickets;
        this.handlers = handlers;
        this.clock = clock;
        this.onWork = onWork;
    }

    /** Takes rows that have just come due, or are about to. */
    @Override
    public List<DueRow> offer(List<DueRow> rows, long asOfNanos) {
        synchronized (tickets) {
            cameDueNanos = clock.nanoTime();
        }
        return offer(rows, (lane, row) -> Ticket.onTime(lane, row, asOfNanos));
    }

    /** Takes rows that a sweep has found, at most as many as can start before the next sweep. */
    public List<DueRow> offerOverdue(List<DueRow> rows, long asOfNanos) {
        return offer(rows, (lane, row) -> Ticket.overdue(lane, row, asOfNanos));
    }

    private List<DueRow> offer(List<DueRow> rows, BiFunction<Lane, DueRow, Ticket> ticketOf) {
        List<DueRow> refused = new ArrayList<>(0);
        Set<String> dropped = new TreeSet<>();
        long nowMillis = clock.storeMillis();
        synchronized (tickets) {
            DueRow before = null;
            Lane lane = null;
            for (DueRow row : rows) {
                // Most rows of a page are of one name: their lane is looked up once.
                if (before == null || !isOfSameLane(row, before)) {
                    lane = tickets.openLane(row.name(), row.partition().queue());
                }
                before = row;
                if (lane == null) {
                    dropped.add(row.name());
                } else if (!tickets.take(ticketOf.apply(lane, row), nowMillis)) {
                    refused.add(row);
                }
            }
        }
        onWork.run();
        dropped.forEach(this::mentionIfUnknown);
        return refused;
    }

    private static boolean isOfSameLane(DueRow row, DueRow other) {
        return row.name().equals(other.name())
                && row.partition().queue().equals(other.partition().queue());
    }

    /**
     * Takes rows that a claim has passed over, if nothing newer is known of them. Each row is offered again only once,
     * because the next sweep finds a passed-over row that is still there.
     */
    void offerAgain(List<Ticket> passedOver) {
        long nowMillis = clock.storeMillis();
        synchronized (tickets) {
            passedOver.stream()
                    .filter(ticket -> !tickets.isShut(ticket.lane))
                    .forEach(ticket -> tickets.take(ticket.again(), nowMillis));
        }
        onWork.run();
    }

    /** Tells whether nothing has come due on time for a while. Guarded by the lock of the tickets. */
    boolean isCalm() {
        return cameDueNanos == null || clock.nanoTime() - cameDueNanos > CALM_NANOS;
    }

    @Override
    public int roomFor(String name) {
        mentionIfUnknown(name);
        synchronized (tickets) {
            Handler handler = tickets.openHandler(name);
            return handler == null
                    ? 0
                    : tickets.lanesOf(handler).stream()
                            .filter(lane -> !lane.paused)
                            .mapToInt(tickets.room::overdueRows)
                            .max()
                            .orElse(tickets.room.left());
        }
    }

    /**
     * Tells whether enough overdue rows of this name are ready, in all its queues, to last until more can be read. The
     * end of that state is announced like room.
     */
    public boolean hasEnoughOf(String name) {
        synchronized (tickets) {
            Handler handler = handlers.find(name);
            Collection<Lane> lanes = handler == null ? List.of() : tickets.lanesOf(handler);
            boolean enough = !lanes.isEmpty() && lanes.stream().allMatch(tickets.room::hasEnough);
            lanes.forEach(lane -> lane.sated |= enough);
            return enough;
        }
    }

    @Override
    public boolean isRunHere(DueRow row) {
        mentionIfUnknown(row.name());
        return tickets.isRunHere(row);
    }

    private void mentionIfUnknown(String name) {
        if (handlers.find(name) == null && unknownNames.size() < MAX_MENTIONED && unknownNames.add(name)) {
            log.warn(
                    "Jobs named '{}' are stored, but this instance has no handler of that name. They "
                            + "wait until an instance has a handler with that name or former name.",
                    Printable.of(name));
        }
    }
}
