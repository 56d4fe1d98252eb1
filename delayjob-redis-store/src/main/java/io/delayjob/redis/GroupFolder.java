package io.delayjob.redis;

import io.delayjob.job.GroupCounts;
import io.delayjob.job.GroupJob;
import io.delayjob.job.Job;
import io.delayjob.store.DueSink;
import java.time.Instant;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.UUID;
import org.jspecify.annotations.Nullable;

/**
 * Adds up the numbers of groups that have changed, and lets groups end.
 *
 * <p>No script spans several slots. So a group is sealed in each slot before it ends, and its numbers are read again.
 * After that no member joins, except the next job of a chain, which begins in the step that ends the job before it. So
 * equal sums prove that all members have ended. Only then the row of the group changes, if it still has the version
 * that belongs to the seal. Last the job that follows is written. A mark beside its row makes sure that this happens
 * once, even if the job has ended and left no row. An instance that dies between two steps leaves the group among the
 * changed ones, and the next pass repeats the rest.
 *
 * <p>Each pass takes changed groups at random, so busy groups keep no other group waiting. Thread-safe.
 */
final class GroupFolder {

    /** Maximum number of hashes that a pass reads: one of each group in each slot. */
    private static final int MAX_HASHES = 8_192;

    private static final String ALL_ENDED = "all-ended";
    private static final String ANY_FAILED = "any-failed";

    private final Keyspace keys;
    private final GroupRows rows;
    private final GroupNumbers numbers;
    private final RowWriter writer;

    GroupFolder(Keyspace keys, GroupRows rows, GroupNumbers numbers, RowWriter writer) {
        this.keys = keys;
        this.rows = rows;
        this.numbers = numbers;
        this.writer = writer;
    }

    /** What a pass writes, and for whom. */
    private record Pass(Instant now, long freshToken, DueSink committed) {}

    /** See {@link io.delayjob.store.JobGroups#fold}. */
    boolean fold(Instant now, long freshToken, DueSink committed) {
        Pass pass = new Pass(now, freshToken, committed.asOfNow());
        int limit = Math.max(1, MAX_HASHES / keys.slots());
        Map<UUID, Set<Integer>> changed = new HashMap<>(numbers.changed(limit));
        List<UUID> ofRows = rows.changed(limit);
        ofRows.forEach(group -> changed.putIfAbsent(group, new HashSet<>()));
        List<UUID> groups = changed.keySet().stream().limit(limit).toList();
        Map<UUID, GroupRow> stored = rows.read(groups);
        Map<UUID, List<GroupCounts>> read = numbers.read(groups);
        for (UUID group : groups) {
            GroupRow row = stored.get(group);
            if (row == null) {
                // A member of a cancelled group has ended after the group was deleted.
                numbers.delete(group);
                continue;
            }
            GroupRow advanced = advanced(row, GroupNumbers.sum(read.getOrDefault(group, List.of())), pass);
            if (advanced != null) {
                numbers.settle(group, changed.getOrDefault(group, Set.of()), read.getOrDefault(group, List.of()));
                rows.settle(advanced);
            }
        }
        return changed.size() > groups.size() || ofRows.size() == limit;
    }

    /** Takes all steps that are due, and returns the row after them; {@code null} if they must be repeated. */
    private @Nullable GroupRow advanced(GroupRow row, GroupCounts counts, Pass pass) {
        GroupRow group = failureTold(row, counts, pass);
        if (group != null && group.isToEnd() && counts.isComplete()) {
            group = ended(group, pass.now);
        }
        return group == null ? null : endTold(group, pass);
    }

    private @Nullable GroupRow failureTold(GroupRow row, GroupCounts counts, Pass pass) {
        GroupJob job = row.whenAnyFails();
        if (job == null || counts.failed() == 0) {
            return row;
        }
        // From here on no call replaces the job, so each pass writes the same one.
        GroupRow seen = row.failure() == GroupRow.Failure.SEEN ? row : rows.change(row, row.failureSeen());
        if (seen == null) {
            return null;
        }
        write(row.id(), job, ANY_FAILED, pass);
        return rows.change(seen, seen.failureWritten());
    }

    private @Nullable GroupRow ended(GroupRow row, Instant now) {
        GroupRow sealed = sealed(row);
        return sealed != null && numbers.sum(row.id()).isComplete() ? rows.change(sealed, sealed.ended(now)) : null;
    }

    /** Seals a group, and returns its row; {@code null} if it has changed since it was read. */
    private @Nullable GroupRow sealed(GroupRow row) {
        GroupRow closing = rows.change(row, row.closing(true));
        if (closing != null) {
            seal(closing);
        }
        return closing;
    }

    /** Seals a group by the version of its row. */
    void seal(GroupRow row) {
        numbers.seal(row.id(), Long.toString(row.version()));
    }

    private @Nullable GroupRow endTold(GroupRow row, Pass pass) {
        GroupJob job = row.whenAllEnded();
        if (row.endedAt() == null || job == null) {
            return row;
        }
        write(row.id(), job, ALL_ENDED, pass);
        return rows.change(row, row.endWritten());
    }

    /** Writes a job that follows the group, unless that has happened before, or another job has its id. */
    private void write(UUID group, GroupJob following, String mark, Pass pass) {
        Job job = following.toNewJob(pass.now, pass.freshToken).toJob();
        RowChange change = new RowChange(null, job, List.of(), new GroupCount(group, mark, mark));
        boolean isWritten = writer.write("writing the job of a group", List.of(RowWriter.Unit.of(change)))[0];
        if (isWritten) {
            pass.committed.accept(List.of(job.toDueRow()));
        }
    }

    /** Deletes a group that has no members, or was cancelled, unless a call uses it meanwhile. */
    boolean deleteUnused(GroupRow row) {
        GroupRow sealed = sealed(row);
        if (sealed == null) {
            return false;
        }
        boolean isUnused =
                !sealed.state().takesMembers() || numbers.sum(sealed.id()).equals(GroupCounts.NONE);
        return isUnused && delete(sealed);
    }

    boolean delete(GroupRow row) {
        boolean isDeleted = rows.delete(row);
        if (isDeleted) {
            numbers.delete(row.id());
        }
        return isDeleted;
    }
}
