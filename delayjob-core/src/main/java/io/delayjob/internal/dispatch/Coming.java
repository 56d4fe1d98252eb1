package io.delayjob.internal.dispatch;

import io.delayjob.internal.dispatch.Ticket.State;
import java.util.Comparator;
import java.util.List;
import java.util.PriorityQueue;

/**
 * Jobs that were claimed ahead of their time, and some that have been given back since then. Guarded by the lock of
 * {@link Lanes}.
 */
final class Coming {

    private final Lanes lanes;
    private final PriorityQueue<Ticket> tickets = new PriorityQueue<>(Comparator.comparingLong(Ticket::dueMillis));

    Coming(Lanes lanes) {
        this.lanes = lanes;
    }

    /** Keeps a claimed job until it {@linkplain #comeDue comes due}. */
    void keep(Ticket ticket) {
        ticket.lane.comes(ticket);
        tickets.add(ticket);
    }

    /**
     * Lets the jobs whose time has come wait for their slots. Gives jobs back if the store's clock was set back,
     * because a claim must not be held until their due time is reached again.
     *
     * @return the due time of the next one; {@link Long#MAX_VALUE} if there is none
     */
    long comeDue(long nowMillis) {
        Ticket next;
        while ((next = tickets.peek()) != null) {
            long earlyMillis = next.dueMillis() - nowMillis;
            if (next.state == State.COMING
                    && earlyMillis > 0
                    && earlyMillis <= lanes.lead().longestMillis()) {
                return next.dueMillis();
            }
            tickets.remove();
            if (next.state == State.COMING && earlyMillis <= 0) {
                next.lane.waits(next);
            } else if (next.state == State.COMING) {
                lanes.giveUp(next);
            }
        }
        return Long.MAX_VALUE;
    }

    /** Returns the jobs of this lane that are not due yet. */
    List<Ticket> of(Lane lane) {
        return tickets.stream()
                .filter(ticket -> ticket.lane == lane && ticket.state == State.COMING)
                .toList();
    }
}
