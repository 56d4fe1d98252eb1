package io.delayjob.internal.dispatch;

import io.delayjob.handler.Handler;
import io.delayjob.internal.lane.Gate;
import io.delayjob.internal.lane.Lane;
import io.delayjob.internal.lane.Ticket;
import io.delayjob.internal.lane.Ticket.Kind;
import io.delayjob.internal.lane.Tickets;
import io.delayjob.internal.preload.Capacity;
import io.delayjob.internal.preload.DueIntake;
import io.delayjob.internal.preload.Scout;
import io.delayjob.job.DueRow;
import io.delayjob.time.EngineClock;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeSet;
import java.util.function.Function;
import java.util.function.Predicate;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;

/**
 * Takes due rows from the timing wheel and from the sweeps. Also tells them for how many more rows there is a free
 * place in memory. Thread-safe.
 */
public final class Intake implements DueIntake, Capacity {

    /** If this duration passes without a row that arrives on time, both claimers may claim old overdue rows. */
    private static final long CALM_NANOS = Duration.ofSeconds(10).toNanos();

    private final Lanes lanes;
    private final Tickets tickets;
    private final EngineClock clock;
    private final Runnable onWork;
    private final Function<Ticket, @Nullable Gate> shut;
    private @Nullable Long cameDueNanos;

    Intake(Lanes lanes, EngineClock clock, Runnable onWork) {
        this.lanes = lanes;
        this.tickets = lanes.tickets;
        this.clock = clock;
        this.onWork = onWork;
        this.shut = lanes.gates::shut;
    }

    @Override
    public List<DueRow> offer(List<DueRow> rows, long asOfNanos) {
        synchronized (tickets) {
            cameDueNanos = clock.nanoTime();
        }
        return offer(rows, asOfNanos, Kind.ON_TIME);
    }

    public List<DueRow> offerOverdue(List<DueRow> rows, long asOfNanos) {
        return offer(rows, asOfNanos, Kind.OVERDUE);
    }

    /** Also refuses the rows of queues whose limits allow no adoption. These limits do not apply to other queues. */
    public List<DueRow> adopt(List<DueRow> rows, long asOfNanos) {
        return offer(rows, asOfNanos, Kind.OVERDUE, Intake::mayAdopt);
    }

    public List<DueRow> offerScouted(List<DueRow> rows, long asOfNanos) {
        return offer(rows, asOfNanos, Kind.SCOUTED);
    }

    /** These rows do not end the {@linkplain #isCalm calm}, because most of them are in memory already. */
    public List<DueRow> offerLatest(List<DueRow> rows, long asOfNanos) {
        return offer(rows, asOfNanos, Kind.ON_TIME);
    }

    private List<DueRow> offer(List<DueRow> rows, long asOfNanos, Kind kind) {
        return offer(rows, asOfNanos, kind, lane -> true);
    }

    private List<DueRow> offer(List<DueRow> rows, long asOfNanos, Kind kind, Predicate<Lane> mayTake) {
        List<DueRow> refused = new ArrayList<>(0);
        Set<String> dropped = new TreeSet<>();
        long nowMillis = clock.storeMillis();
        synchronized (tickets) {
            DueRow before = null;
            Lane lane = null;
            for (DueRow row : rows) {
                if (before == null || !isOfSameLane(row, before)) {
                    lane = lanes.openLane(row.name(), row.partition().queue());
                }
                before = row;
                if (lane == null) {
                    dropped.add(row.name());
                } else if (!mayTake.test(lane) || !take(new Ticket(lane, row, asOfNanos, kind), nowMillis)) {
                    refused.add(row);
                }
            }
        }
        onWork.run();
        dropped.forEach(lanes.names::mentionIfUnknown);
        return refused;
    }

    private boolean take(Ticket offered, long nowMillis) {
        return !lanes.gates.decidesAbout(offered.lane().handler(), offered.row())
                || tickets.take(offered, nowMillis, shut);
    }

    private static boolean isOfSameLane(DueRow row, DueRow other) {
        return row.name().equals(other.name())
                && row.partition().queue().equals(other.partition().queue());
    }

    /** Each row is taken again only once. After that, the next sweep finds it. */
    void offerAgain(List<Ticket> passedOver) {
        long nowMillis = clock.storeMillis();
        synchronized (tickets) {
            for (Ticket ticket : passedOver) {
                DueRow row = ticket.row();
                Lane lane = lanes.openLane(row.name(), row.partition().queue());
                if (lane != null) {
                    take(ticket.againIn(lane), nowMillis);
                }
            }
        }
        onWork.run();
    }

    /** The lock of {@link Tickets} guards this method. */
    boolean isCalm() {
        return cameDueNanos == null || clock.nanoTime() - cameDueNanos > CALM_NANOS;
    }

    @Override
    public Map<String, Integer> roomIn(String queue, Set<String> names) {
        return roomIn(queue, names, lane -> true);
    }

    private Map<String, Integer> roomIn(String queue, Set<String> names, Predicate<Lane> mayTake) {
        Map<String, Integer> room = new HashMap<>();
        if (!lanes.names.hasQueue(queue)) {
            return room;
        }
        synchronized (tickets) {
            int left = tickets.room().left();
            for (String name : names) {
                Handler handler = lanes.names.handler(name);
                Lane lane = handler == null ? null : lanes.lane(handler, queue);
                if (lane != null) {
                    room.put(name, mayTake.test(lane) ? lane.room().forOverdue() : 0);
                } else if (handler != null && left > 0) {
                    room.put(name, left);
                }
            }
        }
        return room;
    }

    /**
     * The leader of the rows may be about to start their jobs. So this instance takes rows only if its limits allow
     * starts that its own jobs do not need. This rule does not apply to jobs with a mutex or a rate key, because their
     * leader may be unable to start them.
     */
    private Map<String, Integer> roomToAdopt(String queue, Set<String> names) {
        long nowMillis = clock.storeMillis();
        synchronized (tickets) {
            lanes.limits.follow(nowMillis);
        }
        return roomIn(queue, names, Intake::mayAdopt);
    }

    private static boolean mayAdopt(Lane lane) {
        Handler handler = lane.handler();
        return handler.mutex() != null
                || handler.rateBy() != null
                || lane.limits().haveSpare();
    }

    /**
     * Returns where a {@link Scout} must search. There, rows that found no place in memory may hide rows of other fair
     * keys in the store.
     */
    public Scout.Ground takeScoutWishes() {
        Set<String> names = new TreeSet<>();
        Set<String> queues = new TreeSet<>();
        synchronized (tickets) {
            for (Lane lane : lanes.all()) {
                if (lane.room().takeScoutWish()) {
                    names.addAll(lane.handler().names());
                    queues.add(lane.queue());
                }
            }
        }
        return new Scout.Ground(names, queues);
    }

    /** After this method has returned {@code true}, the reading agents are woken up as soon as more rows are needed. */
    public boolean hasEnoughOf(String name, String queue) {
        synchronized (tickets) {
            Handler handler = lanes.names.handler(name);
            Lane lane = handler == null ? null : lanes.lane(handler, queue);
            if (lane == null || !lane.room().hasEnough()) {
                return false;
            }
            lane.room().reportedEnough();
            return true;
        }
    }

    @Override
    public boolean isRunHere(DueRow row) {
        OpenNames names = lanes.names;
        names.mentionIfUnknown(row.name());
        Handler handler = names.handler(row.name());
        return handler != null && names.hasQueue(row.partition().queue()) && lanes.gates.decidesAbout(handler, row);
    }

    @Override
    public boolean hasKey(DueRow row) {
        Handler handler = lanes.names.handler(row.name());
        return handler != null && Ticket.hasKey(handler, row);
    }

    @Override
    public boolean keepsAny(List<DueRow> rows) {
        return !lanes.held(rows.stream().map(DueRow::id).collect(Collectors.toSet()))
                .isEmpty();
    }

    public Capacity adopting() {
        return new Capacity() {
            @Override
            public Map<String, Integer> roomIn(String queue, Set<String> names) {
                return roomToAdopt(queue, names);
            }

            @Override
            public boolean hasKey(DueRow row) {
                return Intake.this.hasKey(row);
            }

            @Override
            public boolean keepsAny(List<DueRow> rows) {
                return Intake.this.keepsAny(rows);
            }
        };
    }
}
