package io.delayjob.redis;

import io.delayjob.job.GroupCounts;
import io.delayjob.job.GroupJob;
import io.delayjob.job.GroupRef;
import io.delayjob.job.GroupState;
import io.delayjob.job.GroupStatus;
import java.time.Instant;
import java.util.Arrays;
import java.util.List;
import java.util.Objects;
import java.util.UUID;
import org.jspecify.annotations.Nullable;

/**
 * The row of a group, without the numbers of its members. Immutable.
 *
 * @param version grows by one with each change of the row
 * @param isClosing whether an instance lets the group end. Its members are then sealed by this version
 * @param whenAllEnded the job that waits for the end, until it has its row; {@code null} for none
 * @param whenAnyFails the job that waits for a failure, until it has its row; {@code null} for none
 * @param failure what has happened after a failure
 */
record GroupRow(
        GroupRef group,
        long version,
        GroupState state,
        Instant createdAt,
        @Nullable Instant endedAt,
        boolean isClosing,
        @Nullable GroupJob whenAllEnded,
        @Nullable GroupJob whenAnyFails,
        Failure failure) {

    /** How far the job is that waits for a failure. From {@link #SEEN} on, no other job can replace it. */
    enum Failure {
        NONE,
        SEEN,
        WRITTEN
    }

    static GroupRow create(GroupRef group, Instant now) {
        return new GroupRow(group, 1, GroupState.OPEN, now, null, false, null, null, Failure.NONE);
    }

    static GroupRow parse(UUID id, long version, byte[] row) {
        List<@Nullable String> texts = Bytes.unpacked(row);
        String ended = texts.get(3);
        return new GroupRow(
                new GroupRef(id, present(texts.get(0))),
                version,
                GroupState.valueOf(present(texts.get(1))),
                time(present(texts.get(2))),
                ended == null ? null : time(ended),
                Boolean.parseBoolean(texts.get(4)),
                GroupJob.parse(texts.get(5)),
                GroupJob.parse(texts.get(6)),
                Failure.valueOf(present(texts.get(7))));
    }

    private static String present(@Nullable String text) {
        return Objects.requireNonNull(text, "text of a group's row");
    }

    private static Instant time(String millis) {
        return Instant.ofEpochMilli(Long.parseLong(millis));
    }

    byte[] toBytes() {
        return Bytes.packed(Arrays.asList(
                group.name(),
                state.name(),
                Long.toString(createdAt.toEpochMilli()),
                endedAt == null ? null : Long.toString(endedAt.toEpochMilli()),
                Boolean.toString(isClosing),
                whenAllEnded == null ? null : whenAllEnded.toText(),
                whenAnyFails == null ? null : whenAnyFails.toText(),
                failure.name()));
    }

    UUID id() {
        return group.id();
    }

    GroupStatus status(GroupCounts counts) {
        return new GroupStatus(group, state, counts, createdAt, endedAt);
    }

    /** Tells whether the group ends once all of its members have ended. */
    boolean isToEnd() {
        return endedAt == null && state != GroupState.OPEN;
    }

    GroupRow closed(@Nullable GroupJob job) {
        return with(GroupState.CLOSED, endedAt, job, whenAnyFails, failure);
    }

    GroupRow cancelled() {
        return with(GroupState.CANCELLED, endedAt, null, null, failure);
    }

    GroupRow waitingForFailure(GroupJob job) {
        return failure == Failure.NONE ? with(state, endedAt, whenAllEnded, job, failure) : this;
    }

    GroupRow failureSeen() {
        return with(state, endedAt, whenAllEnded, whenAnyFails, Failure.SEEN);
    }

    GroupRow failureWritten() {
        return with(state, endedAt, whenAllEnded, null, Failure.WRITTEN);
    }

    GroupRow ended(Instant at) {
        GroupState ended = state == GroupState.CLOSED ? GroupState.ENDED : state;
        return with(ended, at, whenAllEnded, whenAnyFails, failure);
    }

    GroupRow endWritten() {
        return with(state, endedAt, null, whenAnyFails, failure);
    }

    /** Returns the group for an instance that seals it, or without its seal. */
    GroupRow closing(boolean isSealed) {
        return new GroupRow(group, version, state, createdAt, endedAt, isSealed, whenAllEnded, whenAnyFails, failure);
    }

    GroupRow withVersion(long newVersion) {
        return new GroupRow(
                group, newVersion, state, createdAt, endedAt, isClosing, whenAllEnded, whenAnyFails, failure);
    }

    /** Any change of the row ends an attempt to let the group end, because that attempt needs the former version. */
    private GroupRow with(
            GroupState newState,
            @Nullable Instant newEnd,
            @Nullable GroupJob allEnded,
            @Nullable GroupJob anyFails,
            Failure newFailure) {
        return new GroupRow(group, version, newState, createdAt, newEnd, false, allEnded, anyFails, newFailure);
    }
}
