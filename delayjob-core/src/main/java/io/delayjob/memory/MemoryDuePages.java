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
import java.util.List;
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
            List<DueRow> found = unfinished.waitingAfter(cursor, until.toEpochMilli(), limit);
            rows.addAll(found);
            if (found.size() == limit) {
                next.add(PartitionCursor.at(found.get(limit - 1)));
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
            List<Job> looked = unfinished.unfinishedAfter(cursor, until.toEpochMilli(), lookAt);
            List<DueRow> found = looked.stream()
                    .filter(job -> job.state() == JobState.DELAYED && names.contains(job.name()))
                    .limit(limit)
                    .map(Job::toDueRow)
                    .toList();
            rows.addAll(found);
            if (found.size() == limit) {
                next.add(PartitionCursor.at(found.get(limit - 1)));
            } else if (looked.size() == lookAt) {
                next.add(PartitionCursor.at(looked.get(lookAt - 1).toDueRow()));
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
            List<Job> looked = unfinished.unfinishedAfter(cursor, until.toEpochMilli(), limit);
            looked.stream()
                    .filter(job -> job.state() == JobState.RUNNING && !known.contains(job.owner()))
                    .forEach(job -> rows.add(new ClaimedRow(job.toDueRow(), job.owner())));
            if (looked.size() == limit) {
                next.add(PartitionCursor.at(looked.get(limit - 1).toDueRow()));
            }
        }
        rows.sort(Comparator.comparing(ClaimedRow::row, BY_DUE_TIME));
        return new DuePage<>(rows, next);
    }
}
