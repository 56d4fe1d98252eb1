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
     * Rows that have just become due. These rows and the rows that a sweep has found start alternately. So the rows of
     * one kind need not wait for all rows of the other kind.
     */
    private final Deque<Ticket> onTime = new ArrayDeque<>();

    /**
     * The overdue rows, and rows with a fair key that have just become due. Rows with different fair keys alternate.
     */
    final FairRows inTurns;

    private boolean overdueIsNext;

    /** Rows that will be due within moments and may already be claimed, roughly in the order of their due times. */
    final Deque<Ticket> ahead = new ArrayDeque<>();

    ReadyRows(boolean fairWithoutKey) {
        inTurns = new FairRows(fairWithoutKey);
    }

    void add(Ticket ticket, long nowMillis) {
        boolean early = ticket.dueMillis() > nowMillis && ticket.kind == Kind.ON_TIME && !inTurns.isFair(ticket);
        (early ? ahead : lineOf(ticket)).add(ticket);
    }

    Queue<Ticket> lineOf(Ticket ticket) {
        return inTurns.isFair(ticket) || ticket.kind != Kind.ON_TIME ? inTurns : onTime;
    }

    void follow(long nowMillis) {
        while (!ahead.isEmpty() && ahead.element().dueMillis() <= nowMillis) {
            onTime.add(ahead.remove());
        }
    }

    /**
     * Returns the queue that gives the next row: rows on time and overdue rows alternate. There must be a row that may
     * be taken.
     *
     * @param overdueToo whether there are overdue rows that may be taken
     * @param oldestFirst whether the row with the earlier due time comes first, no matter whether it is on time or
     *     overdue
     */
    Queue<Ticket> nextLine(boolean overdueToo, boolean oldestFirst) {
        boolean takesOverdue = overdueToo && (onTime.isEmpty() || isOverduesTurn(oldestFirst));
        overdueIsNext = !takesOverdue;
        return takesOverdue ? inTurns : onTime;
    }

    private boolean isOverduesTurn(boolean oldestFirst) {
        return oldestFirst ? inTurns.element().dueMillis() <= onTime.element().dueMillis() : overdueIsNext;
    }

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
     * Returns the number of rows that have just become due or will be due within moments. Rows that alternate with rows
     * of other fair keys are not counted.
     */
    int onTime() {
        return onTime.size() + ahead.size();
    }

    boolean hasJustDue() {
        return !onTime.isEmpty();
    }

    boolean hasMoreThan(int pile) {
        return Math.max(onTime.size(), inTurns.size()) > pile;
    }
}
