package io.delayjob.redis;

import io.delayjob.store.StoreException;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

/**
 * The changes of one run of {@code apply.lua}. Each change has checks, and commands that run if all of its checks
 * succeed. Commands that remove something come first. So if the server's memory is full, it refuses a change either
 * before the first write or not at all. Not thread-safe.
 */
final class ScriptBatch {

    /** Half of what Redis accepts by default. */
    private static final int MAX_LENGTH = 256 << 20;

    private final Map<String, Integer> keys = new LinkedHashMap<>();
    private final PackedArray changes = new PackedArray();
    private final PackedArray checks = new PackedArray();
    private final PackedArray removals = new PackedArray();
    private final PackedArray additions = new PackedArray();
    private int checkCount;
    private int commandCount;

    /** Adds a check: a string must begin with these bytes. If there are no bytes, the key must not exist. */
    ScriptBatch ifRow(String key, byte[] begin) {
        return check("row", key, "", begin);
    }

    /** Adds a check: a field of a hash must have this value. If the value is empty, the field must not exist. */
    ScriptBatch ifField(String key, String field, byte[] value) {
        return check("field", key, field, value);
    }

    /** Adds a check: a hash must have this field. */
    ScriptBatch ifMember(String key, String field) {
        return check("member", key, field, new byte[0]);
    }

    private ScriptBatch check(String kind, String key, String field, byte[] expected) {
        checks.add(Bytes.of(kind)).add(indexOf(key)).add(Bytes.of(field)).add(expected);
        checkCount++;
        return this;
    }

    /** Adds a command that removes something. */
    ScriptBatch remove(String command, String key, byte[]... values) {
        return command(removals, command, key, values);
    }

    /** Adds a command that writes something. */
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

    /** Ends a change: later checks and commands belong to the next change. */
    ScriptBatch end() {
        changes.add(checkCount).moveFrom(checks);
        changes.add(commandCount).moveFrom(removals).moveFrom(additions);
        checkCount = 0;
        commandCount = 0;
        return this;
    }

    private int indexOf(String key) {
        return keys.computeIfAbsent(key, unknown -> keys.size() + 1);
    }

    List<String> keys() {
        return List.copyOf(keys.keySet());
    }

    /**
     * @throws StoreException if Redis would refuse the argument, and so would close the connection of other calls, too
     */
    List<byte[]> arguments() {
        byte[] argument = changes.toBytes();
        if (argument.length > MAX_LENGTH) {
            throw StoreException.refused(
                    "A script for Redis has %,d bytes: must have at most %,d bytes; write fewer jobs at once, or jobs with shorter payloads."
                            .formatted(argument.length, MAX_LENGTH));
        }
        return List.of(argument);
    }
}
