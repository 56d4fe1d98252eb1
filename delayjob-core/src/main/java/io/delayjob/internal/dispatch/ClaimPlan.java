package io.delayjob.internal.dispatch;

import java.util.ArrayList;
import java.util.Collection;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * Chooses the rows of one claim: row by row from the queues in turn, and from the lanes of each by their priorities. Due
 * rows come first. Rows that are not due yet get only the room and the slots that due rows leave over.
 *
 * <p>It moves nothing but the turns: the caller takes each row that it is handed. Guarded by the lock of {@link Tickets}.
 */
final class ClaimPlan {

    /** Takes the ticket out of the rows that are ready; answers whether it may be claimed. */
    @FunctionalInterface
    interface Take {

        boolean take(Ticket ticket);
    }

    private final Collection<Lane> lanes;
    private final Turns<Slots> queues;
    private final Take take;
    private final boolean backlogToo;
    private final boolean piledUp;
    private final List<Ticket> tickets = new ArrayList<>();
    private boolean ofBacklog;
    private boolean cutShort;

    /** @param backlogToo whether rows that have piled up may be claimed now */
    ClaimPlan(Collection<Lane> lanes, Turns<Slots> queues, boolean backlogToo, Take take) {
        this.lanes = lanes;
        this.queues = queues;
        this.take = take;
        this.backlogToo = backlogToo;
        this.piledUp = lanes.stream().anyMatch(Lane::hasBacklog);
    }

    /** At most so many rows. */
    Batch choose(int limit) {
        int room = chooseDue(limit);
        // What is due must not wait for a large claim of what is not.
        chooseAhead(Math.min(room, Math.max(tickets.size(), Lane.BACKLOG)));
        return new Batch(tickets);
    }

    private int chooseDue(int limit) {
        int room = limit;
        Ticket next;
        while (tickets.size() < room && (next = queues.next(this::nextReady)) != null) {
            tickets.add(next);
            int left = next.lane.ready(next.overdue).size();
            ofBacklog |= left >= Lane.BACKLOG;
            if (piledUp && left == 0) {
                // What has just come due must not wait until a whole batch of a backlog is claimed with it.
                room = Math.min(room, tickets.size() + lanes.size());
                cutShort = true;
            }
        }
        return room;
    }

    private void chooseAhead(int limit) {
        Ticket next;
        while (tickets.size() < limit && (next = queues.next(this::nextAhead)) != null) {
            tickets.add(next);
        }
    }

    private @Nullable Ticket nextReady(Slots queue) {
        return queue.claimTurns.next(lane -> {
            Ticket next;
            do {
                next = lane.nextReady(backlogToo);
            } while (next != null && !take.take(next));
            return next;
        });
    }

    private @Nullable Ticket nextAhead(Slots queue) {
        return queue.claimTurns.next(lane -> {
            Ticket next;
            do {
                next = lane.nextAhead();
            } while (next != null && !take.take(next));
            return next;
        });
    }

    /** Whether this is the claim of a backlog: then no second one of it is to be under way. */
    boolean isOfBacklog() {
        return ofBacklog && !cutShort;
    }
}
