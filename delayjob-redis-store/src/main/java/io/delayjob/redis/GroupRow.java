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
import java.util.stream.Collectors;
import java.util.stream.LongStream;
import org.jspecify.annotations.Nullable;

/**
 * The row of a group. Immutable.
 *
 * @param version grows by one with each change of the row
 * @param isClosing whether an instance is ending the group; if so, the group is sealed with the version of this row
 * @param whenAllEnded the job that waits for the end of the group; {@code null} if there is no such job, or if the job
 *     was written
 * @param whenAnyFails the job that waits for a failure of a member; {@code null} if there is no such job, or if the job
 *     was written
 * @param counts the final numbers of the members; {@code null} before the end of the group
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
        Failure failure,
        @Nullable GroupCounts counts) {

    private static final String BETWEEN_NUMBERS = " ";

    /** From {@link #SEEN} on, no other job can replace the job that waits for a failure. */
    enum Failure {
        NONE,
        SEEN,
        WRITTEN
    }

    static GroupRow create(GroupRef group, Instant now) {
        return new GroupRow(group, 1, GroupState.OPEN, now, null, false, null, null, Failure.NONE, null);
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
                Failure.valueOf(present(texts.get(7))),
                // Rows of earlier snapshots have no numbers.
                texts.size() > 8 ? counts(texts.get(8)) : null);
    }

    private static @Nullable GroupCounts counts(@Nullable String text) {
        if (text == null) {
            return null;
        }
        long[] numbers = Arrays.stream(text.split(BETWEEN_NUMBERS))
                .mapToLong(Long::parseLong)
                .toArray();
        return new GroupCounts(numbers[0], numbers[1], numbers[2], numbers[3]);
    }

    private static String text(GroupCounts counts) {
        return LongStream.of(counts.begun(), counts.finished(), counts.failed(), counts.cancelled())
                .mapToObj(Long::toString)
                .collect(Collectors.joining(BETWEEN_NUMBERS));
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
                failure.name(),
                counts == null ? null : text(counts)));
    }

    UUID id() {
        return group.id();
    }

    GroupStatus status(GroupCounts present) {
        return new GroupStatus(group, state, countsOr(present), createdAt, endedAt);
    }

    GroupCounts countsOr(GroupCounts present) {
        return counts == null ? present : counts;
    }

    boolean isFailureToTell(GroupCounts present) {
        return whenAnyFails != null && present.failed() > 0;
    }

    /** If the memory of the server is full, the server may refuse a row with a new job. */
    boolean hasNewJob(GroupRow before) {
        return isNew(whenAllEnded, before.whenAllEnded) || isNew(whenAnyFails, before.whenAnyFails);
    }

    private static boolean isNew(@Nullable GroupJob job, @Nullable GroupJob before) {
        return job != null && !job.equals(before);
    }

    boolean mayBeUnused() {
        return endedAt == null && (state == GroupState.OPEN || state == GroupState.CANCELLED);
    }

    boolean isToEnd() {
        return endedAt == null && state != GroupState.OPEN;
    }

    GroupRow closed(@Nullable GroupJob job) {
        return with(GroupState.CLOSED, job, whenAnyFails, failure);
    }

    GroupRow cancelled() {
        return with(GroupState.CANCELLED, null, null, failure);
    }

    GroupRow waitingForFailure(GroupJob job) {
        return failure == Failure.NONE ? with(state, whenAllEnded, job, failure) : this;
    }

    GroupRow failureSeen() {
        return with(state, whenAllEnded, whenAnyFails, Failure.SEEN);
    }

    GroupRow failureWritten() {
        return with(state, whenAllEnded, null, Failure.WRITTEN);
    }

    GroupRow ended(Instant at, GroupCounts finalCounts) {
        GroupState ended = state == GroupState.CLOSED ? GroupState.ENDED : state;
        return new GroupRow(
                group, version, ended, createdAt, at, false, whenAllEnded, whenAnyFails, failure, finalCounts);
    }

    GroupRow endWritten() {
        return with(state, null, whenAnyFails, failure);
    }

    GroupRow closing(boolean isSealed) {
        return new GroupRow(
                group, version, state, createdAt, endedAt, isSealed, whenAllEnded, whenAnyFails, failure, counts);
    }

    GroupRow withVersion(long newVersion) {
        return new GroupRow(
                group, newVersion, state, createdAt, endedAt, isClosing, whenAllEnded, whenAnyFails, failure, counts);
    }

    /**
     * Returns a copy that is no longer closing. A pass may be about to end the group. The pass needs the former version
     * of the row, so this change stops the pass.
     */
    private GroupRow with(
            GroupState newState, @Nullable GroupJob allEnded, @Nullable GroupJob anyFails, Failure newFailure) {
        return new GroupRow(
                group, version, newState, createdAt, endedAt, false, allEnded, anyFails, newFailure, counts);
    }
}
