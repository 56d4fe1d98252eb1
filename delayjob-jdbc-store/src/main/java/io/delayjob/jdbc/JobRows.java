package io.delayjob.jdbc;

import io.delayjob.internal.jdbc.dialect.StoredState;
import io.delayjob.job.AttemptCounts;
import io.delayjob.job.AttemptRecord;
import io.delayjob.job.ClaimKeys;
import io.delayjob.job.DueRow;
import io.delayjob.job.Failure;
import io.delayjob.job.Job;
import io.delayjob.job.JobEnd;
import io.delayjob.job.JobId;
import io.delayjob.job.JobPlan;
import io.delayjob.job.JobProgress;
import io.delayjob.job.JobState;
import io.delayjob.job.JobTask;
import io.delayjob.job.OversizePayload;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.time.Instant;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** Reads jobs and attempts from result rows by the position of their columns. Thread-safe. */
final class JobRows {

    private final Queues queues;
    private final long maxPayloadBytes;

    JobRows(Queues queues, long maxPayloadBytes) {
        this.queues = queues;
        this.maxPayloadBytes = maxPayloadBytes;
    }

    Job unfinished(ResultSet row) throws SQLException {
        return job(row, JobEnd.NONE);
    }

    /**
     * If a column has its usual value, the claim returns {@code NULL}, which JDBC reads as zero or {@code false}.
     *
     * @param batch the rows of the claim, in the order in which they were sent
     */
    Job claimed(ResultSet row, List<DueRow> batch, long owner, long token, long nowMillis) throws SQLException {
        DueRow due = batch.get(row.getInt(1) - 1);
        Instant dueAt = Instant.ofEpochMilli(due.dueMillis());
        Instant startedAt = Instant.ofEpochMilli(Math.max(nowMillis, due.dueMillis()));
        AttemptCounts counts = new AttemptCounts(orOne(row.getInt(10)), row.getInt(11), row.getInt(12), row.getInt(13));
        Instant plannedAt = instantOrNull(row, 8);
        return new Job(
                due.id(),
                due.partition(),
                new JobTask(
                        due.name(),
                        row.getString(2),
                        row.getString(3),
                        oversize(row, 17),
                        row.getString(6),
                        row.getString(16)),
                new JobPlan(
                        row.getString(4),
                        row.getString(5),
                        instant(row, 7),
                        orOne(row.getInt(9)),
                        plannedAt == null ? dueAt : plannedAt,
                        dueAt),
                new JobProgress(
                        JobState.RUNNING, token, owner, startedAt, row.getBoolean(14), row.getBoolean(15), counts),
                JobEnd.NONE);
    }

    Job any(ResultSet row) throws SQLException {
        return job(row, new JobEnd(instantOrNull(row, 25), instantOrNull(row, 26), failure(row, 27)));
    }

    private Job job(ResultSet row, JobEnd end) throws SQLException {
        AttemptCounts counts = new AttemptCounts(row.getInt(15), row.getInt(16), row.getInt(17), row.getInt(18));
        return new Job(
                id(row),
                queues.partition(row.getInt(2)),
                new JobTask(
                        row.getString(3),
                        row.getString(4),
                        row.getString(5),
                        oversize(row, 24),
                        row.getString(8),
                        row.getString(23)),
                new JobPlan(
                        row.getString(6),
                        row.getString(7),
                        instant(row, 11),
                        row.getInt(14),
                        instant(row, 12),
                        instant(row, 13)),
                new JobProgress(
                        StoredState.stateOf(row.getInt(9)),
                        row.getLong(10),
                        row.getLong(20),
                        instantOrNull(row, 21),
                        row.getBoolean(19),
                        row.getBoolean(22),
                        counts),
                end);
    }

    DueRow due(ResultSet row) throws SQLException {
        return new DueRow(
                id(row),
                queues.partition(row.getInt(2)),
                row.getString(3),
                row.getLong(4),
                row.getLong(5),
                ClaimKeys.of(row.getString(6)));
    }

    AttemptRecord attempt(ResultSet row) throws SQLException {
        return new AttemptRecord(
                id(row),
                row.getInt(2),
                row.getInt(3),
                row.getString(4),
                row.getLong(5),
                instantOrNull(row, 6),
                instantOrNull(row, 7),
                instantOrNull(row, 8),
                instant(row, 9),
                failure(row, 10));
    }

    private static int orOne(int number) {
        return number == 0 ? 1 : number;
    }

    private @Nullable OversizePayload oversize(ResultSet row, int column) throws SQLException {
        long bytes = row.getLong(column);
        return row.wasNull() ? null : new OversizePayload(bytes, maxPayloadBytes);
    }

    static JobId id(ResultSet row) throws SQLException {
        return new JobId(Database.uuid(row, 1));
    }

    private static Instant instant(ResultSet row, int column) throws SQLException {
        return Instant.ofEpochMilli(row.getLong(column));
    }

    static @Nullable Instant instantOrNull(ResultSet row, int column) throws SQLException {
        long millis = row.getLong(column);
        return row.wasNull() ? null : Instant.ofEpochMilli(millis);
    }

    private static @Nullable Failure failure(ResultSet row, int column) throws SQLException {
        String type = row.getString(column);
        return type == null ? null : new Failure(type, row.getString(column + 1), row.getString(column + 2));
    }
}
