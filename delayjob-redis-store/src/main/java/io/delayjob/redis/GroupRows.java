package io.delayjob.redis;

import io.delayjob.job.GroupRef;
import io.delayjob.store.StoreException;
import io.lettuce.core.KeyValue;
import io.lettuce.core.Limit;
import io.lettuce.core.Range;
import java.time.Instant;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.UUID;
import java.util.function.BiConsumer;
import java.util.function.UnaryOperator;
import java.util.stream.IntStream;
import org.jspecify.annotations.Nullable;

/**
 * Reads and writes the rows of groups, which are in a separate slot. A row is changed only if its version has not
 * changed since the row was read. Thread-safe.
 * <pre>
 *   {meta}:group:[id]       hash with the version of the row, and the row
 *   {meta}:group-names      the group of each name
 *   {meta}:groups           groups that have not ended, by age
 *   {meta}:groups-unused    groups of these that may be unused, by age: a purge has not looked at them yet
 *   {meta}:groups-ended     groups that have ended, by end
 *   {meta}:groups-changed   groups whose rows have changed since their numbers were added up
 * </pre>
 */
final class GroupRows {

    private static final String VERSION = "version";
    private static final String ROW = "row";
    private static final byte[] NONE = new byte[0];

    /** All keys of groups are in the slot of the register, so all changes have the same slot number. */
    private static final int REGISTER = 0;

    private final RedisLink link;
    private final Writes writes;
    private final Keyspace keys;

    GroupRows(RedisLink link, Writes writes, Keyspace keys) {
        this.link = link;
        this.writes = writes;
        this.keys = keys;
    }

    private String key(UUID id) {
        return keys.meta("group:" + Keyspace.member(id));
    }

    private String names() {
        return keys.meta("group-names");
    }

    private String unended() {
        return keys.meta("groups");
    }

    private String unused() {
        return keys.meta("groups-unused");
    }

    private String ended() {
        return keys.meta("groups-ended");
    }

    private String changed() {
        return keys.meta("groups-changed");
    }

    @Nullable
    UUID find(String name) {
        byte[] id = link.ask("looking for a group", redis -> redis.hget(names(), nameField(name)));
        return id == null ? null : Keyspace.id(id).value();
    }

    Map<String, GroupRef> find(List<String> names) {
        List<byte[]> ids =
                link.askAll("looking for groups", names, (redis, name) -> redis.hget(names(), nameField(name)));
        Map<String, GroupRef> found = new LinkedHashMap<>();
        for (int i = 0; i < names.size(); i++) {
            byte[] id = ids.get(i);
            if (id != null) {
                found.put(names.get(i), new GroupRef(Keyspace.id(id).value(), names.get(i)));
            }
        }
        return found;
    }

    private static String nameField(String name) {
        return Bytes.text(Bytes.utf8(name));
    }

    Map<UUID, GroupRow> read(List<UUID> ids) {
        List<List<KeyValue<String, byte[]>>> rows =
                link.askAll("reading groups", ids, (redis, id) -> redis.hmget(key(id), VERSION, ROW));
        Map<UUID, GroupRow> groups = new LinkedHashMap<>();
        for (int i = 0; i < ids.size(); i++) {
            KeyValue<String, byte[]> version = rows.get(i).get(0);
            if (version.hasValue()) {
                groups.put(ids.get(i), parsed(ids.get(i), version, rows.get(i).get(1)));
            }
        }
        return groups;
    }

    private GroupRow parsed(UUID id, KeyValue<String, byte[]> version, KeyValue<String, byte[]> row) {
        try {
            return GroupRow.parse(id, Long.parseLong(Bytes.text(version.getValue())), row.getValue());
        } catch (RuntimeException unreadable) {
            throw StoreException.refused(
                    "The row of the group with the id %s cannot be read (%s): run a version of delayjob that knows its layout, restore the key %s, or delete it."
                            .formatted(id, unreadable, key(id)),
                    unreadable);
        }
    }

    @Nullable
    GroupRow read(UUID id) {
        return read(List.of(id)).get(id);
    }

    boolean create(GroupRow group) {
        byte[] id = idOf(group);
        String name = group.group().name();
        List<GroupRow> created = run("naming a group", List.of(group), (row, script) -> {
            script.ifField(names(), nameField(name), NONE).write("HSET", names(), Bytes.utf8(name), id);
            write(script, row);
            script.write("ZADD", unended(), millis(row.createdAt()), id);
            script.write("ZADD", unused(), millis(row.createdAt()), id);
        });
        return !created.isEmpty();
    }

    void confirmNames() {
        writes.confirm("looking for a group", List.of(names()));
    }

    @Nullable
    GroupRow change(GroupRow before, UnaryOperator<GroupRow> change) {
        List<GroupRow> written = change(List.of(before), change);
        return written.isEmpty() ? null : written.get(0);
    }

    List<GroupRow> change(List<GroupRow> rows, UnaryOperator<GroupRow> change) {
        List<Change> changes = rows.stream()
                .map(row -> new Change(row, change.apply(row).withVersion(row.version() + 1)))
                .toList();
        return run("changing groups", changes, this::write).stream()
                .map(Change::after)
                .toList();
    }

    private record Change(GroupRow before, GroupRow after) {}

    private void write(Change change, ScriptBatch script) {
        GroupRow after = change.after;
        byte[] id = idOf(after);
        ifUnchanged(change.before, script);
        if (!after.hasNewJob(change.before)) {
            script.acceptedIfFull(key(after.id()));
        }
        Instant end = after.endedAt();
        if (change.before.endedAt() == null && end != null) {
            script.remove("ZREM", unended(), id);
            script.write("ZADD", ended(), millis(end), id);
        }
        write(script, after);
        if (!after.mayBeUnused()) {
            // This removal is not the first command, so that a server with full memory refuses a row with a new job.
            script.write("ZREM", unused(), id);
        } else if (after.state() != change.before.state()) {
            script.write("ZADD", unused(), millis(after.createdAt()), id);
        }
        script.write("SADD", changed(), id);
    }

    private ScriptBatch ifUnchanged(GroupRow read, ScriptBatch script) {
        return script.ifField(key(read.id()), VERSION, version(read));
    }

    private void write(ScriptBatch script, GroupRow group) {
        script.write("HSET", key(group.id()), Bytes.of(VERSION), version(group), Bytes.of(ROW), group.toBytes());
    }

    /**
     * A deleted group stays among the {@linkplain #changed changed} groups until it is {@linkplain #forget forgotten}.
     * The reason is that the caller may die before all numbers of the group are deleted. A later pass then deletes
     * these numbers.
     */
    List<GroupRow> delete(List<GroupRow> groups) {
        return run("deleting groups", groups, (group, script) -> {
            byte[] id = idOf(group);
            ifUnchanged(group, script)
                    .remove("DEL", key(group.id()))
                    .remove("HDEL", names(), Bytes.utf8(group.group().name()))
                    .remove("ZREM", unended(), id)
                    .remove("ZREM", unused(), id)
                    .remove("ZREM", ended(), id)
                    .write("SADD", changed(), id);
        });
    }

    void forget(List<UUID> groups) {
        run(
                "deleting groups",
                groups,
                (group, script) -> script.ifField(key(group), VERSION, NONE)
                        .remove("ZREM", unended(), idOf(group))
                        .remove("ZREM", unused(), idOf(group))
                        .remove("ZREM", ended(), idOf(group))
                        .remove("SREM", changed(), idOf(group)));
    }

    void free(GroupRef group) {
        run(
                "deleting a group",
                List.of(group),
                (gone, script) -> script.ifField(key(gone.id()), VERSION, NONE)
                        .ifField(names(), nameField(gone.name()), idOf(gone.id()))
                        .remove("HDEL", names(), Bytes.utf8(gone.name())));
    }

    List<UUID> changed(int limit) {
        return ids(link.ask("looking for changed groups", redis -> redis.srandmember(changed(), limit)));
    }

    /**
     * Removes each group from the set of changed groups if the group's row has not changed since it was read. Returns
     * the removed groups.
     */
    List<GroupRow> settle(List<GroupRow> groups) {
        return run(
                "noting groups",
                groups,
                (group, script) -> ifUnchanged(group, script).remove("SREM", changed(), idOf(group)));
    }

    /** The oldest groups come first. */
    List<UUID> unended(long offset, int limit) {
        return ids(link.ask("reading groups", redis -> redis.zrange(unended(), offset, offset + limit - 1)));
    }

    /** The groups with the latest ends come first. */
    List<UUID> ended(long offset, int limit) {
        return ids(link.ask("reading groups", redis -> redis.zrevrange(ended(), offset, offset + limit - 1)));
    }

    List<UUID> endedBefore(Instant before, long offset, int limit) {
        return until(ended(), before, offset, limit);
    }

    List<UUID> unusedBefore(Instant before, long offset, int limit) {
        return until(unused(), before, offset, limit);
    }

    List<GroupRow> used(List<GroupRow> groups) {
        return run(
                "noting groups",
                groups,
                (group, script) -> ifUnchanged(group, script).remove("ZREM", unused(), idOf(group)));
    }

    private List<UUID> until(String set, Instant before, long offset, int limit) {
        Range<Long> old = Range.from(Range.Boundary.unbounded(), Range.Boundary.excluding(before.toEpochMilli()));
        return ids(link.ask("reading groups", redis -> redis.zrangebyscore(set, old, Limit.create(offset, limit))));
    }

    private static List<UUID> ids(List<byte[]> members) {
        List<UUID> ids = new ArrayList<>();
        members.forEach(member -> ids.add(Keyspace.id(member).value()));
        return ids;
    }

    private <C> List<C> run(String doing, List<C> changes, BiConsumer<C, ScriptBatch> add) {
        GroupScripts scripts = new GroupScripts();
        changes.forEach(change -> scripts.add(REGISTER, script -> add.accept(change, script)));
        List<Boolean> made = scripts.run(writes, doing);
        return IntStream.range(0, changes.size())
                .filter(made::get)
                .mapToObj(changes::get)
                .toList();
    }

    private static byte[] idOf(GroupRow group) {
        return idOf(group.id());
    }

    private static byte[] idOf(UUID id) {
        return Bytes.of(Keyspace.member(id));
    }

    private static byte[] version(GroupRow group) {
        return Bytes.of(Long.toString(group.version()));
    }

    private static byte[] millis(Instant time) {
        return Bytes.of(Long.toString(time.toEpochMilli()));
    }
}
