package io.delayjob.internal.lane;

import io.delayjob.internal.lane.Ticket.Kind;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Deque;
import java.util.List;
import java.util.Queue;

/**
 * Contains the rows of a lane that wait to be claimed, and their order. The lock of {@link Tickets} guards this object.
 */
final class ReadyRows {

    /**
     * Rows that have just become due. Rows on time alternate with rows that a sweep has found. Therefore rows of one
     * kind need not wait until all rows of the other kind have started.
     */
    private final Deque<Ticket> onTime = new ArrayDeque<>();

    /**
     * Contains the overdue rows. Rows with different fair keys alternate; this also applies to rows with a fair key
     * that have just become due.
     */
    final FairRows inTurns;

    private boolean overdueIsNext;

    /** Rows that will be due within moments and may already be claimed, roughly in the order of their due times. */
    final Deque<Ticket> ahead = new ArrayDeque<>();

    /** @param fairWithoutKey whether rows of different fair keys alternate even if no row has a key */
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

    /** Moves rows that have become due to the rows on time. */
    void follow(long nowMillis) {
        while (!ahead.isEmpty() && ahead.element().dueMillis() <= nowMillis) {
            onTime.add(ahead.remove());
        }
    }

    /**
     * Returns the queue that must give the next row: the rows on time or the overdue rows. Rows on time and overdue
     * rows alternate. The caller must know that there is a row that may be taken.
     *
     * @param overdueToo whether there are overdue rows that may be taken
     * @param oldestFirst whether the row with the earlier due time comes first, even if it is of the other kind
     */
    Queue<Ticket> nextLine(boolean overdueToo, boolean oldestFirst) {
        boolean takesOverdue = overdueToo && (onTime.isEmpty() || isOverduesTurn(oldestFirst));
        overdueIsNext = !takesOverdue;
        return takesOverdue ? inTurns : onTime;
    }

    private boolean isOverduesTurn(boolean oldestFirst) {
        return oldestFirst ? inTurns.element().dueMillis() <= onTime.element().dueMillis() : overdueIsNext;
    }

    /** Removes and returns all rows. */
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

    /**
     * Returns the number of rows that have just become due, or will be due soon, and that need not alternate with rows
     * of other fair keys.
     */
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
