package io.delayjob.internal.dispatch;

import io.delayjob.internal.lane.Lane;
import io.delayjob.internal.lane.Ticket;
import io.delayjob.internal.lane.Tickets;
import io.delayjob.internal.preload.ClaimLead;
import java.util.Comparator;
import java.util.PriorityQueue;

/**
 * Jobs that were claimed ahead of their time, and some that have been given back since then. Guarded by the lock of
 * {@link Tickets}.
 */
final class Coming {

    private final Tickets all;
    private final ClaimLead lead;
    private final PriorityQueue<Ticket> tickets = new PriorityQueue<>(Comparator.comparingLong(Ticket::dueMillis));

    Coming(Tickets all, ClaimLead lead) {
        this.all = all;
        this.lead = lead;
    }

    /** Keeps a claimed job until it {@linkplain #comeDue comes due}. */
    void keep(Ticket ticket) {
        ticket.lane().comes(ticket);
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
            if (next.isComing() && earlyMillis > 0 && earlyMillis <= lead.longestMillis()) {
                return next.dueMillis();
            }
            tickets.remove();
            if (next.isComing() && earlyMillis <= 0) {
                next.lane().waits(next);
            } else if (next.isComing()) {
                all.giveUp(next);
            }
        }
        return Long.MAX_VALUE;
    }

    /** Gives up the jobs of this lane that are not due yet. */
    void giveUp(Lane lane) {
        tickets.stream()
                .filter(ticket -> ticket.lane() == lane && ticket.isComing())
                .forEach(all::giveUp);
    }
}
