package io.delayjob.redis;

import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

/**
 * Collects changes for one run of {@code apply.lua}: changes of the register, of pauses, of groups, or of the counts of
 * a minute. The commands of a change run if all of its checks succeed. Commands that remove data come first. Therefore
 * a server with full memory either accepts the whole change or refuses the whole change. Not thread-safe.
 */
final class ScriptBatch {

    /** If a batch has reached this length in bytes, the batch takes no further change. */
    private static final int ENOUGH_BYTES = 1 << 20;

    private final Map<String, Integer> keys = new LinkedHashMap<>();
    private final PackedArray changes = new PackedArray();
    private final PackedArray checks = new PackedArray();
    private final PackedArray removals = new PackedArray();
    private final PackedArray additions = new PackedArray();
    private int checkCount;
    private int commandCount;
    private int changeCount;

    /** An empty value requires that the field does not exist. */
    ScriptBatch ifField(String key, String field, byte[] value) {
        return check("field", key, field, value);
    }

    ScriptBatch ifMember(String key, String field) {
        return check("member", key, field, new byte[0]);
    }

    private ScriptBatch check(String kind, String key, String field, byte[] expected) {
        checks.add(Bytes.of(kind)).add(indexOf(key)).add(Bytes.of(field)).add(expected);
        checkCount++;
        return this;
    }

    /**
     * Lets the change begin with a command that removes data, so that a server with full memory accepts the change. The
     * command removes a field of the hash, even if the hash does not have this field.
     */
    ScriptBatch acceptedIfFull(String hash) {
        return remove("HDEL", hash, new byte[0]);
    }

    ScriptBatch remove(String command, String key, byte[]... values) {
        return command(removals, command, key, values);
    }

    ScriptBatch write(String command, String key, byte[]... values) {
        return command(additions, command, key, values);
    }

    private ScriptBatch command(PackedArray commands, String command, String key, byte[]... values) {
        commands.add(values.length).add(Bytes.of(command)).add(indexOf(key));
        for (byte[] value : values) {
            commands.add(value);
        }
        commandCount++;
        return this;
    }

    /** Ends a change. Later checks and commands belong to the next change. */
    ScriptBatch end() {
        changes.add(checkCount).moveFrom(checks);
        changes.add(commandCount).moveFrom(removals).moveFrom(additions);
        checkCount = 0;
        commandCount = 0;
        changeCount++;
        return this;
    }

    /** A run of the script must be short, because the server does nothing else during the run. */
    boolean isFull() {
        return changeCount >= Keyspace.MAX_ROWS || changes.length() >= ENOUGH_BYTES;
    }

    private int indexOf(String key) {
        return keys.computeIfAbsent(key, unknown -> keys.size() + 1);
    }

    List<String> keys() {
        return List.copyOf(keys.keySet());
    }

    List<byte[]> arguments() {
        return List.<byte[]>of(changes.toBytes());
    }
}
