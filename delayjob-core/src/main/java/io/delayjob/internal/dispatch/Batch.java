package io.delayjob.internal.dispatch;

import io.delayjob.job.DueRow;
import io.delayjob.job.JobId;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** The rows of one claim. */
record Batch(List<Ticket> tickets) {

    List<DueRow> rows() {
        List<DueRow> rows = new ArrayList<>(tickets.size());
        for (Ticket ticket : tickets) {
            rows.add(ticket.row);
        }
        return rows;
    }

    /** The ticket of a job that was asked for. */
    Ticket ticketOf(JobId id) {
        return tickets.stream()
                .filter(ticket -> ticket.id().equals(id))
                .findFirst()
                .orElseThrow(() -> new IllegalArgumentException("Job %s was not asked for.".formatted(id)));
    }

    boolean isEmpty() {
        return tickets.isEmpty();
    }

    /** Claims are told apart, whatever they ask for. */
    @Override
    public boolean equals(@Nullable Object other) {
        return this == other;
    }

    @Override
    public int hashCode() {
        return System.identityHashCode(this);
    }
}
