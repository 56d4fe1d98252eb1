package io.delayjob.jdbc;

import io.delayjob.internal.jdbc.dialect.GroupSql;
import io.delayjob.job.GroupCounts;
import io.delayjob.job.GroupJob;
import io.delayjob.job.GroupRef;
import io.delayjob.job.GroupState;
import io.delayjob.job.GroupStatus;
import io.delayjob.job.Printable;
import io.delayjob.store.DueSink;
import io.delayjob.store.JobGroups;
import java.time.Instant;
import java.util.List;
import java.util.Optional;
import java.util.UUID;
import java.util.function.Consumer;
import java.util.function.Predicate;
import java.util.function.UnaryOperator;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/** Writes the rows of groups, and reads groups for people. Thread-safe. */
final class JdbcGroups implements JobGroups {

    private static final int MIN_AGAIN = 100;

    private final Transactions transactions;
    private final Database database;
    private final GroupNames names;
    private final GroupCounter counter;
    private final ReadableGroups readable = new ReadableGroups();
    private final GroupAdder adder;
    private final Sql find;
    private final Sql lock;
    private final Sql update;
    private final Sql findStatus;
    private final Sql listUnended;
    private final Sql listEnded;
    private final Database.Steps purge;
    private final Sql findOrphans;
    private final Sql deleteAllCounts;

    JdbcGroups(Transactions transactions, Database database, Queues queues) {
        GroupSql sql = database.dialect().groups();
        this.transactions = transactions;
        this.database = database;
        this.names = new GroupNames(database);
        this.counter = new GroupCounter(database);
        this.adder = new GroupAdder(transactions, database, queues, readable);
        this.find = database.sql(sql.find());
        this.lock = database.sql(sql.lock());
        this.update = database.sql(sql.update());
        this.findStatus = database.sql(sql.findStatus());
        this.listUnended = database.sql(sql.listUnended());
        this.listEnded = database.sql(sql.listEnded());
        this.purge = database.ownSteps(sql.purge());
        this.findOrphans = database.sql(sql.findOrphans());
        this.deleteAllCounts = database.sql(sql.deleteAllCounts());
    }

    @Override
    public GroupRef enter(GroupRef proposed, Instant now) {
        return transactions.callers(
                "looking for group '%s'".formatted(Printable.of(proposed.name())),
                DueSink.NONE,
                run -> names.enter(proposed, now).group());
    }

    @Override
    public Optional<GroupStatus> find(String name) {
        return transactions
                .reading(
                        "reading group '%s'".formatted(Printable.of(name)),
                        () -> database.query(findStatus, Parameters.none().set("name", name), StoredGroup::statusOf))
                .stream()
                .findFirst();
    }

    @Override
    public List<GroupStatus> unended(int limit) {
        return list(listUnended, limit);
    }

    @Override
    public List<GroupStatus> ended(int limit) {
        return list(listEnded, limit);
    }

    private List<GroupStatus> list(Sql list, int limit) {
        int asked = limit;
        while (true) {
            Parameters parameters = Parameters.none().set("limit", asked);
            List<Optional<GroupStatus>> found = transactions.reading(
                    "reading groups",
                    () -> database.query(list, parameters, row -> readable.read(row, StoredGroup::statusOf)));
            List<GroupStatus> groups =
                    found.stream().flatMap(Optional::stream).limit(limit).toList();
            if (groups.size() == limit || found.size() < asked) {
                return groups;
            }
            asked = (int) Math.min(Integer.MAX_VALUE, Math.max(2L * asked, MIN_AGAIN));
        }
    }

    @Override
    public @Nullable GroupState close(GroupRef group, @Nullable GroupJob whenAllEnded) {
        return change("closing", group, state -> state == GroupState.OPEN, stored -> stored.closed(whenAllEnded));
    }

    @Override
    public @Nullable GroupJob whenAllEnded(GroupRef group) {
        return transactions
                .reading(
                        "reading group '%s'".formatted(Printable.of(group.name())),
                        () -> database.query(find, Parameters.none().set("id", group.id()), StoredGroup::of))
                .stream()
                .flatMap(stored -> Stream.ofNullable(stored.whenAllEnded()))
                .findFirst()
                .orElse(null);
    }

    @Override
    public @Nullable GroupState whenAnyFails(GroupRef group, GroupJob job) {
        return change("changing", group, GroupState::takesMembers, stored -> stored.waitingForFailure(job));
    }

    @Override
    public @Nullable GroupState cancel(GroupRef group) {
        return change("cancelling", group, GroupState::takesMembers, StoredGroup::cancelled);
    }

    private @Nullable GroupState change(
            String doing, GroupRef group, Predicate<GroupState> which, UnaryOperator<StoredGroup> change) {
        Optional<GroupState> before = transactions.callers(
                "%s group '%s'".formatted(doing, Printable.of(group.name())),
                DueSink.NONE,
                run -> lock(group.id()).map(stored -> change(stored, which, change)));
        return before.orElse(null);
    }

    private Optional<StoredGroup> lock(UUID id) {
        return database.query(lock, Parameters.none().set("id", id), StoredGroup::of).stream()
                .findFirst();
    }

    private GroupState change(StoredGroup stored, Predicate<GroupState> which, UnaryOperator<StoredGroup> change) {
        GroupState before = stored.status().state();
        if (which.test(before)) {
            database.update(update, change.apply(stored).toParameters());
            // Only groups with new counts are added up. With zero counts, the group can end even if no further member
            // ends.
            GroupCounter.Counted nothing = new GroupCounter.Counted();
            nothing.add(stored.status().group(), GroupCounts.NONE);
            counter.write(nothing);
        }
        return before;
    }

    @Override
    public boolean fold(Instant now, long freshToken, DueSink committed, Consumer<GroupStatus> ended) {
        return adder.addUp(now, freshToken, committed, ended);
    }

    @Override
    public int purge(Instant before, int limit) {
        Parameters parameters = Parameters.none()
                .set("before", before.toEpochMilli())
                .set("open", StoredGroup.numberOf(GroupState.OPEN))
                .set("cancelled", StoredGroup.numberOf(GroupState.CANCELLED))
                .set("limit", limit);
        int purged = transactions
                .own("purging groups", () -> database.run(purge, parameters, row -> Database.uuid(row, 1)))
                .size();
        transactions.own("deleting counts of purged groups", () -> deleteOrphans(limit));
        return purged;
    }

    /** Deletes counts without a group. A member of a cancelled group may end after the group was purged. */
    private int deleteOrphans(int limit) {
        return database.query(findOrphans, Parameters.none().set("limit", limit), row -> Database.uuid(row, 1)).stream()
                .mapToInt(
                        id -> database.update(deleteAllCounts, Parameters.none().set("id", id)))
                .sum();
    }
}
