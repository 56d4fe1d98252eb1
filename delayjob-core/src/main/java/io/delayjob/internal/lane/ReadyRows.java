package io.delayjob.internal.lane;

import io.delayjob.internal.lane.Ticket.Kind;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Deque;
import java.util.List;
import java.util.Queue;

/** The rows of a lane that wait to be claimed, and their order. Guarded by the lock of {@link Tickets}. */
final class ReadyRows {

    /**
     * Rows that have just come due. They take turns with rows that a sweep has found. So neither kind waits until all
     * rows of the other kind have started.
     */
    private final Deque<Ticket> onTime = new ArrayDeque<>();

    /** Overdue rows. They take turns by their fair keys, and so do rows with such a key that have just come due. */
    final FairRows inTurns;

    private boolean overdueIsNext;

    /** Rows that come due within moments and may already be claimed, roughly in the order of their due times. */
    final Deque<Ticket> ahead = new ArrayDeque<>();

    /** @param fairWithoutKey whether fair keys take turns even while no row has a key */
    ReadyRows(boolean fairWithoutKey) {
        inTurns = new FairRows(fairWithoutKey);
    }

    void add(Ticket ticket, long nowMillis) {
        boolean early = ticket.dueMillis() > nowMillis && ticket.kind == Kind.ON_TIME && !inTurns.isFair(ticket);
        (early ? ahead : lineOf(ticket)).add(ticket);
    }

    /** Returns the rows among which this ticket waits when it is due. */
    Queue<Ticket> lineOf(Ticket ticket) {
        return inTurns.isFair(ticket) || ticket.kind != Kind.ON_TIME ? inTurns : onTime;
    }

    /** Moves rows from those that lie ahead to those that have just come due, if they are due now. */
    void follow(long nowMillis) {
        while (!ahead.isEmpty() && ahead.element().dueMillis() <= nowMillis) {
            onTime.add(ahead.remove());
        }
    }

    /**
     * Returns the line whose turn it is. The two kinds take turns. There must be a row that may be taken.
     *
     * @param overdueToo whether there are overdue rows that may be taken
     * @param oldestFirst whether the earlier row comes first, of whichever kind
     */
    Queue<Ticket> nextLine(boolean overdueToo, boolean oldestFirst) {
        boolean takesOverdue = overdueToo && (onTime.isEmpty() || isOverduesTurn(oldestFirst));
        overdueIsNext = !takesOverdue;
        return takesOverdue ? inTurns : onTime;
    }

    private boolean isOverduesTurn(boolean oldestFirst) {
        return oldestFirst ? inTurns.element().dueMillis() <= onTime.element().dueMillis() : overdueIsNext;
    }

    /** Takes out all rows. */
    List<Ticket> takeAll() {
        List<Ticket> taken = new ArrayList<>(size());
        for (Queue<Ticket> rows : List.of(onTime, inTurns, ahead)) {
            taken.addAll(rows);
            rows.clear();
        }
        return taken;
    }

    int size() {
        return onTime.size() + inTurns.size() + ahead.size();
    }

    /** Returns the number of rows that have just come due, or are about to, and do not take turns by fair keys. */
    int onTime() {
        return onTime.size() + ahead.size();
    }

    boolean hasJustDue() {
        return !onTime.isEmpty();
    }

    /** Tells whether more than this number of rows of one kind are due. */
    boolean hasMoreThan(int pile) {
        return Math.max(onTime.size(), inTurns.size()) > pile;
    }
}
