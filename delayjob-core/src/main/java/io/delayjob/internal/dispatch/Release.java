package io.delayjob.internal.dispatch;

import io.delayjob.internal.lane.Ticket;
import io.delayjob.job.DueRow;
import java.util.List;
import java.util.Set;

/**
 * Rows that are released with one call.
 *
 * @param unknown tickets of these rows if the outcome of their claim is unknown; otherwise empty
 * @param claimToken token that a row has if the claim was applied; otherwise the row has the token that was read
 * @param refusals number of refusals by the store; above zero only if there is one row
 */
record Release(List<DueRow> rows, List<Ticket> unknown, long claimToken, long atNanos, int refusals) {

    Release of(List<DueRow> part) {
        Set<DueRow> rowsOfPart = Set.copyOf(part);
        List<Ticket> unknownOfPart = unknown.stream()
                .filter(ticket -> rowsOfPart.contains(ticket.row()))
                .toList();
        return new Release(part, unknownOfPart, claimToken, atNanos, refusals);
    }

    List<Release> halves() {
        int middle = rows.size() / 2;
        return List.of(of(rows.subList(0, middle)), of(rows.subList(middle, rows.size())));
    }

    List<Ticket> unknownWithout(Set<DueRow> held) {
        return unknown.stream().filter(ticket -> !held.contains(ticket.row())).toList();
    }

    Release at(long atNanos) {
        return new Release(rows, unknown, claimToken, atNanos, refusals);
    }

    Release refused(long atNanos) {
        return new Release(rows, unknown, claimToken, atNanos, refusals + 1);
    }

    boolean isApart() {
        return refusals > 0;
    }
}
