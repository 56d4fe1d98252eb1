package io.delayjob.memory;

import io.delayjob.job.DueRow;
import io.delayjob.job.Job;
import io.delayjob.job.JobState;
import io.delayjob.store.ClaimedRow;
import io.delayjob.store.DuePage;
import io.delayjob.store.PartitionCursor;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Collection;
import java.util.Comparator;
import java.util.Iterator;
import java.util.List;
import java.util.Map;
import java.util.Set;

/** Reads unfinished rows by due time, in pages. The lock of the {@link MemoryJobStore} guards this object. */
final class MemoryDuePages {

    private static final Comparator<DueRow> BY_DUE_TIME =
            Comparator.comparingLong(DueRow::dueMillis).thenComparing(DueRow::id);

    private final MemoryJobTable unfinished;

    MemoryDuePages(MemoryJobTable unfinished) {
        this.unfinished = unfinished;
    }

    DuePage<DueRow> dueAfter(Collection<PartitionCursor> cursors, Instant until, int limit) {
        List<DueRow> rows = new ArrayList<>();
        List<PartitionCursor> next = new ArrayList<>();
        for (PartitionCursor cursor : cursors) {
            Iterator<DueRow> due = unfinished.waitingAfter(cursor, until.toEpochMilli());
            for (int found = 1; due.hasNext(); found++) {
                DueRow row = due.next();
                rows.add(row);
                if (found == limit) {
                    next.add(PartitionCursor.at(row));
                    break;
                }
            }
        }
        rows.sort(BY_DUE_TIME);
        return new DuePage<>(rows, next);
    }

    DuePage<DueRow> overdue(
            Collection<PartitionCursor> cursors, Instant until, Set<String> names, int limit, int lookAt) {
        if (names.isEmpty()) {
            return DuePage.none();
        }
        List<DueRow> rows = new ArrayList<>();
        List<PartitionCursor> next = new ArrayList<>();
        for (PartitionCursor cursor : cursors) {
            Iterator<Map.Entry<DueRow, Job>> due = unfinished.unfinishedAfter(cursor, until.toEpochMilli());
            int looked = 0;
            int found = 0;
            DueRow last = null;
            while (looked < lookAt && found < limit && due.hasNext()) {
                Map.Entry<DueRow, Job> entry = due.next();
                looked++;
                last = entry.getKey();
                if (entry.getValue().state() == JobState.DELAYED
                        && names.contains(entry.getValue().name())) {
                    found++;
                    rows.add(last);
                }
            }
            if (last != null && (looked == lookAt || found == limit)) {
                next.add(PartitionCursor.at(last));
            }
        }
        rows.sort(BY_DUE_TIME);
        return new DuePage<>(rows, next);
    }

    DuePage<ClaimedRow> claimedByOthers(
            Collection<PartitionCursor> cursors, Instant until, Set<Long> known, int limit) {
        List<ClaimedRow> rows = new ArrayList<>();
        List<PartitionCursor> next = new ArrayList<>();
        for (PartitionCursor cursor : cursors) {
            Iterator<Map.Entry<DueRow, Job>> due = unfinished.unfinishedAfter(cursor, until.toEpochMilli());
            int looked = 0;
            DueRow last = null;
            while (looked < limit && due.hasNext()) {
                Map.Entry<DueRow, Job> entry = due.next();
                looked++;
                last = entry.getKey();
                Job job = entry.getValue();
                if (job.state() == JobState.RUNNING && !known.contains(job.owner())) {
                    rows.add(new ClaimedRow(last, job.owner()));
                }
            }
            if (last != null && looked == limit) {
                next.add(PartitionCursor.at(last));
            }
        }
        rows.sort(Comparator.comparing(ClaimedRow::row, BY_DUE_TIME));
        return new DuePage<>(rows, next);
    }
}
