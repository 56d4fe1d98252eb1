package io.delayjob.redis;

import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

/**
 * The changes of one run of {@code apply.lua}: each has checks, and commands that run if all of its checks succeed.
 * Commands that remove come first. So a server whose memory is full either refuses a change before it has written
 * anything, or does not refuse it. Not thread-safe.
 */
final class ScriptBatch {

    private final Map<String, Integer> keys = new LinkedHashMap<>();
    private final List<byte[]> arguments = new ArrayList<>();
    private final List<byte[]> checks = new ArrayList<>();
    private final List<byte[]> removals = new ArrayList<>();
    private final List<byte[]> additions = new ArrayList<>();
    private int checkCount;
    private int commandCount;

    /** Requires that a string begins with these bytes. No bytes require that the key does not exist. */
    ScriptBatch ifRow(String key, byte[] begin) {
        return check("row", key, "", begin);
    }

    /** Requires that a field of a hash has this value. An empty value requires that the field does not exist. */
    ScriptBatch ifField(String key, String field, byte[] value) {
        return check("field", key, field, value);
    }

    /** Requires that a hash has a field. */
    ScriptBatch ifMember(String key, String field) {
        return check("member", key, field, new byte[0]);
    }

    private ScriptBatch check(String kind, String key, String field, byte[] expected) {
        checks.add(Bytes.of(kind));
        checks.add(number(indexOf(key)));
        checks.add(Bytes.of(field));
        checks.add(expected);
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

    private ScriptBatch command(List<byte[]> commands, String command, String key, byte[]... values) {
        commands.add(number(values.length));
        commands.add(Bytes.of(command));
        commands.add(number(indexOf(key)));
        commands.addAll(List.of(values));
        commandCount++;
        return this;
    }

    /** Ends a change: what follows belongs to the next one. */
    ScriptBatch end() {
        arguments.add(number(checkCount));
        arguments.addAll(checks);
        arguments.add(number(commandCount));
        arguments.addAll(removals);
        arguments.addAll(additions);
        checks.clear();
        removals.clear();
        additions.clear();
        checkCount = 0;
        commandCount = 0;
        return this;
    }

    private int indexOf(String key) {
        return keys.computeIfAbsent(key, unknown -> keys.size() + 1);
    }

    private static byte[] number(int number) {
        return Bytes.of(Integer.toString(number));
    }

    List<String> keys() {
        return List.copyOf(keys.keySet());
    }

    List<byte[]> arguments() {
        return arguments;
    }
}
