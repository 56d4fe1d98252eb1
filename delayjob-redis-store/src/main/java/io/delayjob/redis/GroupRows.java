package io.delayjob.redis;

import io.delayjob.job.GroupRef;
import io.lettuce.core.KeyValue;
import io.lettuce.core.Limit;
import io.lettuce.core.Range;
import java.time.Instant;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.UUID;
import org.jspecify.annotations.Nullable;

/**
 * The rows of groups, which have a slot of their own. A row is changed only if it still has the version that was read.
 * Thread-safe.
 * <pre>
 *   {meta}:group:[id]       hash with the version of the row, and the row
 *   {meta}:group-names      the group of each name
 *   {meta}:groups           groups that have not ended, by age
 *   {meta}:groups-ended     groups that have ended, by end
 *   {meta}:groups-changed   groups whose rows have changed since their numbers were added up
 * </pre>
 */
final class GroupRows {

    private static final String VERSION = "version";
    private static final String ROW = "row";
    private static final byte[] NONE = new byte[0];

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

    /** Returns the groups of these names that exist. */
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

    /** Returns the groups that exist, in the given order. */
    Map<UUID, GroupRow> read(List<UUID> ids) {
        List<List<KeyValue<String, byte[]>>> rows =
                link.askAll("reading groups", ids, (redis, id) -> redis.hmget(key(id), VERSION, ROW));
        Map<UUID, GroupRow> groups = new LinkedHashMap<>();
        for (int i = 0; i < ids.size(); i++) {
            KeyValue<String, byte[]> version = rows.get(i).get(0);
            if (version.hasValue()) {
                long number = Long.parseLong(Bytes.text(version.getValue()));
                groups.put(
                        ids.get(i),
                        GroupRow.parse(ids.get(i), number, rows.get(i).get(1).getValue()));
            }
        }
        return groups;
    }

    @Nullable
    GroupRow read(UUID id) {
        return read(List.of(id)).get(id);
    }

    /** Writes a new group, unless its name is taken. */
    boolean create(GroupRow group) {
        byte[] id = idOf(group);
        ScriptBatch batch = new ScriptBatch()
                .ifField(names(), nameField(group.group().name()), NONE)
                .write("HSET", names(), Bytes.utf8(group.group().name()), id);
        write(batch, group);
        batch.write("ZADD", unended(), millis(group.createdAt()), id);
        return run("naming a group", batch.end());
    }

    /** Waits until the group of a name is as durable as the store promises. */
    void confirmNames() {
        writes.confirm("looking for a group", List.of(names()));
    }

    /** Changes a row, and returns the row as it is then; {@code null} if it has changed since it was read. */
    @Nullable
    GroupRow change(GroupRow before, GroupRow after) {
        GroupRow written = after.withVersion(before.version() + 1);
        ScriptBatch batch = new ScriptBatch().ifField(key(before.id()), VERSION, version(before));
        byte[] id = idOf(before);
        Instant end = written.endedAt();
        if (before.endedAt() == null && end != null) {
            batch.remove("ZREM", unended(), id);
            batch.write("ZADD", ended(), millis(end), id);
        }
        write(batch, written);
        batch.write("SADD", changed(), id);
        return run("changing a group", batch.end()) ? written : null;
    }

    private void write(ScriptBatch batch, GroupRow group) {
        batch.write("HSET", key(group.id()), Bytes.of(VERSION), version(group), Bytes.of(ROW), group.toBytes());
    }

    /** Deletes a group, unless its row has changed since it was read. */
    boolean delete(GroupRow group) {
        byte[] id = idOf(group);
        return run(
                "deleting a group",
                new ScriptBatch()
                        .ifField(key(group.id()), VERSION, version(group))
                        .remove("DEL", key(group.id()))
                        .remove("HDEL", names(), Bytes.utf8(group.group().name()))
                        .remove("ZREM", unended(), id)
                        .remove("ZREM", ended(), id)
                        .remove("SREM", changed(), id)
                        .end());
    }

    /** Returns some of the groups whose rows have changed since they were {@linkplain #settle settled}. */
    List<UUID> changed(int limit) {
        return ids(link.ask("looking for changed groups", redis -> redis.srandmember(changed(), limit)));
    }

    /** Notes that nothing is to be done about a group, unless its row has changed since it was read. */
    void settle(GroupRow group) {
        run(
                "noting a group",
                new ScriptBatch()
                        .ifField(key(group.id()), VERSION, version(group))
                        .remove("SREM", changed(), idOf(group))
                        .end());
    }

    List<UUID> unended(int limit) {
        return ids(link.ask("reading groups", redis -> redis.zrange(unended(), 0, limit - 1L)));
    }

    List<UUID> ended(int limit) {
        return ids(link.ask("reading groups", redis -> redis.zrevrange(ended(), 0, limit - 1L)));
    }

    /** Returns groups that ended before a time. */
    List<UUID> endedBefore(Instant before, int limit) {
        return until(ended(), before, 0, limit);
    }

    /** Returns a page of groups that were created before a time and have not ended. */
    List<UUID> unendedBefore(Instant before, long offset, int limit) {
        return until(unended(), before, offset, limit);
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

    private boolean run(String doing, ScriptBatch batch) {
        List<Object> answer = writes.run(doing, LuaScript.APPLY, List.of(new Writes.Call(batch)))
                .get(0);
        return Long.valueOf(1).equals(answer.get(0));
    }

    private static byte[] idOf(GroupRow group) {
        return Bytes.of(Keyspace.member(group.id()));
    }

    private static byte[] version(GroupRow group) {
        return Bytes.of(Long.toString(group.version()));
    }

    private static byte[] millis(Instant time) {
        return Bytes.of(Long.toString(time.toEpochMilli()));
    }
}
