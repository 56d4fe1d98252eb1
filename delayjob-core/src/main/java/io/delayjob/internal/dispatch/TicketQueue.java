package io.delayjob.internal.dispatch;

import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/**
 * Tickets in the order in which they came. A ticket is in one queue at a time, and leaves it in constant time, from
 * wherever it stands: so no queue holds what is no longer true. Guarded by the lock of {@link Tickets}.
 */
final class TicketQueue {

    private final Tally tally;
    private final Runnable changed;
    private @Nullable Ticket first;
    private @Nullable Ticket last;
    private int size;

    /**
     * @param tally counts the tickets of this queue among those of others
     * @param changed called after a ticket has come or left
     */
    TicketQueue(Tally tally, Runnable changed) {
        this.tally = tally;
        this.changed = changed;
    }

    /** Takes a ticket from the queue that it is in, which is one of the same lane. */
    void add(Ticket ticket) {
        if (ticket.queue != null) {
            ticket.queue.unlink(ticket);
        }
        ticket.queue = this;
        ticket.previous = last;
        if (last == null) {
            first = ticket;
        } else {
            last.next = ticket;
        }
        last = ticket;
        size++;
        tally.count++;
        changed.run();
    }

    void remove(Ticket ticket) {
        unlink(ticket);
        changed.run();
    }

    private void unlink(Ticket ticket) {
        if (ticket.previous == null) {
            first = ticket.next;
        } else {
            ticket.previous.next = ticket.next;
        }
        if (ticket.next == null) {
            last = ticket.previous;
        } else {
            ticket.next.previous = ticket.previous;
        }
        ticket.queue = null;
        ticket.previous = null;
        ticket.next = null;
        size--;
        tally.count--;
    }

    @Nullable
    Ticket first() {
        return first;
    }

    int size() {
        return size;
    }

    boolean isEmpty() {
        return size == 0;
    }

    /** The action may take the ticket that it is handed out of this queue. */
    void forEach(Consumer<Ticket> action) {
        Ticket ticket = first;
        while (ticket != null) {
            Ticket following = ticket.next;
            action.accept(ticket);
            ticket = following;
        }
    }
}
