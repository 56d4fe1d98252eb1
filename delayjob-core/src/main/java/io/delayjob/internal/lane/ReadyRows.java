package io.delayjob.internal.lane;

import io.delayjob.internal.lane.Ticket.Kind;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Deque;
import java.util.List;
import java.util.Queue;

/**
 * Contains the rows of a lane that wait to be claimed, in their order. The lock of {@link Tickets} guards this object.
 */
final class ReadyRows {

    /** Rows that have just become due. They alternate with overdue rows. */
    private final Deque<Ticket> onTime = new ArrayDeque<>();

    /** Overdue rows, and rows with a fair key that have just become due. */
    final FairRows inTurns;

    private boolean overdueIsNext;

    /** Rows that will be due within moments and may be claimed now. */
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
     * @param oldestFirst whether the row with the earlier due time comes next; otherwise, overdue rows and other rows
     *     take turns
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
