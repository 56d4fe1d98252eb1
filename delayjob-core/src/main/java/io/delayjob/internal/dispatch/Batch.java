package io.delayjob.internal.dispatch;

import io.delayjob.internal.lane.Ticket;
import io.delayjob.job.DueRow;
import io.delayjob.job.JobId;
import java.util.Comparator;
import java.util.List;

/**
 * Contains the rows of one claim. The store locks rows in the order of their ids, so the rows are sent in this order.
 * Only one claimer uses this object.
 */
final class Batch {

    private final List<Ticket> chosen;
    private final List<Ticket> inOrder;
    private int next;

    /** @param chosen the tickets, in the starting order of their jobs */
    Batch(List<Ticket> chosen) {
        this.chosen = chosen;
        inOrder = chosen.stream().sorted(Comparator.comparing(Ticket::id)).toList();
    }

    List<Ticket> tickets() {
        return chosen;
    }

    List<DueRow> rows() {
        return inOrder.stream().map(Ticket::row).toList();
    }

    boolean isEmpty() {
        return chosen.isEmpty();
    }

    boolean hasRowsDueAfter(long millis) {
        return chosen.stream().anyMatch(ticket -> ticket.dueMillis() > millis);
    }

    /** Begins the search behind the latest result, because a store usually answers in the order of the ids. */
    Ticket ticketOf(JobId job) {
        for (int i = 0; i < inOrder.size(); i++) {
            Ticket ticket = inOrder.get(next);
            next = (next + 1) % inOrder.size();
            if (ticket.id().equals(job)) {
                return ticket;
            }
        }
        throw new IllegalArgumentException("Job %s is not in this batch.".formatted(job));
    }
}
