package io.delayjob.redis;

import java.util.ArrayList;
import java.util.HashMap;
import java.util.Iterator;
import java.util.List;
import java.util.Map;
import java.util.function.Consumer;

/**
 * Collects changes of groups for runs of {@code apply.lua}. The class sends all scripts before it waits for the first
 * answer. Not thread-safe.
 */
final class GroupScripts {

    private final List<ScriptBatch> scripts = new ArrayList<>();
    private final Map<Integer, Integer> latestOfSlot = new HashMap<>();
    private final List<Integer> scriptOfChange = new ArrayList<>();

    /** @param slot a number; all keys of changes with the same number must be in one slot */
    void add(int slot, Consumer<ScriptBatch> change) {
        Integer latest = latestOfSlot.get(slot);
        if (latest == null || scripts.get(latest).isFull()) {
            latest = scripts.size();
            latestOfSlot.put(slot, latest);
            scripts.add(new ScriptBatch());
        }
        change.accept(scripts.get(latest));
        scripts.get(latest).end();
        scriptOfChange.add(latest);
    }

    /** Tells, in the order of the changes, whether all checks of each change succeeded. */
    List<Boolean> run(Writes writes, String doing) {
        List<Writes.Call> calls =
                scripts.stream().map(script -> new Writes.Call(script)).toList();
        List<Iterator<Object>> answers = writes.run(doing, LuaScript.APPLY, calls).stream()
                .map(List::iterator)
                .toList();
        return scriptOfChange.stream()
                .map(script -> Long.valueOf(1).equals(answers.get(script).next()))
                .toList();
    }
}
