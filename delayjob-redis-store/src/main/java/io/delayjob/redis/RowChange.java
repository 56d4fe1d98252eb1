package io.delayjob.redis;

import io.delayjob.job.AttemptRecord;
import io.delayjob.job.Job;
import io.delayjob.job.JobId;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * The change of one row, with its entries in all indexes.
 *
 * @param before the job as it was read; {@code null} if there was none
 * @param after the job after the change; {@code null} if its row is deleted
 * @param log lines for the attempt log
 */
record RowChange(@Nullable Job before, @Nullable Job after, List<AttemptRecord> log) {

    static RowChange created(Job job) {
        return new RowChange(null, job, List.of());
    }

    static RowChange deleted(Job job) {
        return new RowChange(job, null, List.of());
    }

    static RowChange of(Job before, Job after) {
        return new RowChange(before, after, List.of());
    }

    JobId id() {
        Job job = after == null ? before : after;
        if (job == null) {
            throw new IllegalStateException("A change needs a job before or after it.");
        }
        return job.id();
    }

    /**
     * Tells whether this job shows that the change was carried out although its answer was lost. The token tells this,
     * because no other change sets the same fresh token.
     */
    boolean isAppliedTo(@Nullable Job job) {
        return job != null
                && after != null
                && after.token() == job.token()
                && (before == null || before.token() != job.token());
    }
}
