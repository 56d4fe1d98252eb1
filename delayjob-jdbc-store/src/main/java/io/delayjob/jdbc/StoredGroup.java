package io.delayjob.jdbc;

import io.delayjob.job.GroupCounts;
import io.delayjob.job.GroupJob;
import io.delayjob.job.GroupRef;
import io.delayjob.job.GroupState;
import io.delayjob.job.GroupStatus;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.time.Instant;
import java.util.Objects;
import java.util.Optional;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/**
 * The row of a group. Immutable.
 *
 * @param whenAllEnded the job that waits for the end of the group
 * @param whenAnyFails the text of the job that waits for a failure; {@value #WRITTEN} once the job's row is written
 */
record StoredGroup(
        GroupStatus status,
        @Nullable GroupJob whenAllEnded,
        @Nullable String whenAnyFails) {

    /** Replaces the text of a job whose row was written, so that the row is not written again. */
    private static final String WRITTEN = "written";

    private static final GroupState[] STATES = GroupState.values();

    static StoredGroup of(ResultSet row) throws SQLException {
        return new StoredGroup(statusOf(row), GroupJob.parse(row.getString(10)), row.getString(11));
    }

    static GroupStatus statusOf(ResultSet row) throws SQLException {
        return new GroupStatus(
                new GroupRef(Database.uuid(row, 1), row.getString(2)),
                stateOf(row.getInt(3)),
                new GroupCounts(row.getLong(6), row.getLong(7), row.getLong(8), row.getLong(9)),
                Instant.ofEpochMilli(row.getLong(4)),
                JobRows.instantOrNull(row, 5));
    }

    /** The number of a state is its ordinal, so new states must be added at the end. */
    static GroupState stateOf(int number) {
        if (number < 0 || number >= STATES.length) {
            throw new IllegalArgumentException(
                    "Invalid state %d of a group: must be from 0 to %d. A newer version of delayjob may have written that state, so update this instance."
                            .formatted(number, STATES.length - 1));
        }
        return STATES[number];
    }

    static int numberOf(GroupState state) {
        return state.ordinal();
    }

    StoredGroup closed(@Nullable GroupJob job) {
        return with(GroupState.CLOSED, status.counts(), null, job, whenAnyFails);
    }

    StoredGroup waitingForFailure(GroupJob job) {
        return WRITTEN.equals(whenAnyFails)
                ? this
                : with(status.state(), status.counts(), null, whenAllEnded, job.toText());
    }

    StoredGroup cancelled() {
        return with(GroupState.CANCELLED, status.counts(), null, null, null);
    }

    StoredGroup counting(GroupCounts more) {
        return with(status.state(), status.counts().plus(more), status.endedAt(), whenAllEnded, whenAnyFails);
    }

    boolean hasFailed() {
        return whenAnyFails != null
                && !whenAnyFails.equals(WRITTEN)
                && status.counts().failed() > 0;
    }

    Stream<GroupJob> jobs() {
        GroupJob forFailure = WRITTEN.equals(whenAnyFails) ? null : GroupJob.parse(whenAnyFails);
        return Stream.of(Optional.ofNullable(whenAllEnded), Optional.ofNullable(forFailure))
                .flatMap(Optional::stream);
    }

    /** May be called only if {@link #hasFailed()} returns {@code true}. */
    GroupJob jobForFailure() {
        return Objects.requireNonNull(GroupJob.parse(whenAnyFails));
    }

    StoredGroup withoutJobForFailure() {
        return with(status.state(), status.counts(), status.endedAt(), whenAllEnded, WRITTEN);
    }

    boolean ends() {
        return status.endedAt() == null
                && status.state() != GroupState.OPEN
                && status.counts().isComplete();
    }

    StoredGroup ended(Instant now) {
        GroupState state = status.state() == GroupState.CLOSED ? GroupState.ENDED : status.state();
        return with(state, status.counts(), now, null, null);
    }

    private StoredGroup with(
            GroupState state,
            GroupCounts counts,
            @Nullable Instant endedAt,
            @Nullable GroupJob newWhenAllEnded,
            @Nullable String newWhenAnyFails) {
        return new StoredGroup(
                new GroupStatus(status.group(), state, counts, status.createdAt(), endedAt),
                newWhenAllEnded,
                newWhenAnyFails);
    }

    Parameters toParameters() {
        return Parameters.none()
                .set("id", status.group().id())
                .set("state", numberOf(status.state()))
                .set(
                        "endedAt",
                        status.endedAt() == null ? null : status.endedAt().toEpochMilli())
                .set("begun", status.counts().begun())
                .set("finished", status.counts().finished())
                .set("failed", status.counts().failed())
                .set("cancelled", status.counts().cancelled())
                .set("whenAllEnded", whenAllEnded == null ? null : whenAllEnded.toText())
                .set("whenAnyFails", whenAnyFails);
    }
}
