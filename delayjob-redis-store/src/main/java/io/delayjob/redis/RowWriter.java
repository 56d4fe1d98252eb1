package io.delayjob.redis;

import io.delayjob.job.AttemptRecord;
import io.delayjob.job.Job;
import io.delayjob.job.JobId;
import io.delayjob.job.JobTask;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Collection;
import java.util.Collections;
import java.util.Comparator;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Set;
import java.util.TreeMap;
import org.jspecify.annotations.Nullable;

/**
 * Writes changes of rows that have not changed since they were read. The changes of one {@link Unit} are written
 * together or not at all. Thread-safe.
 */
final class RowWriter {

    /** Maximum number of rows that one script changes, because the server does nothing else meanwhile. */
    static final int MAX_ROWS = 250;

    /** Maximum number of attempts that are kept for each job. */
    private static final int MAX_ATTEMPTS = 100;

    private final Writes writes;
    private final Keyspace keys;
    private final RowFormat format;

    /**
     * Changes that are written together. Their jobs are in one slot.
     *
     * @param changes the changes, at most one of each job
     */
    record Unit(List<RowChange> changes) {

        static Unit of(RowChange change) {
            return of(change, null);
        }

        /** @param created the row that is written together with this change; {@code null} for none */
        static Unit of(RowChange change, @Nullable RowChange created) {
            return new Unit(created == null ? List.of(change) : List.of(change, created));
        }
    }

    RowWriter(Writes writes, Keyspace keys, RowFormat format) {
        this.writes = writes;
        this.keys = keys;
        this.format = format;
    }

    /** Writes the units of each slot in their order, and returns which of them were written. */
    boolean[] write(String doing, List<Unit> units) {
        List<Script> scripts = scripts(units);
        List<List<Object>> answers = writes.run(
                doing,
                LuaScript.APPLY,
                scripts.stream().map(script -> new Writes.Call(script.batch)).toList());
        boolean[] written = new boolean[units.size()];
        for (int i = 0; i < scripts.size(); i++) {
            List<Object> answer = answers.get(i);
            for (int unit = 0; unit < answer.size(); unit++) {
                written[scripts.get(i).units.get(unit)] = Long.valueOf(1).equals(answer.get(unit));
            }
        }
        return written;
    }

    /** Waits until the rows of these jobs, which this call has only read, are as durable as the store promises. */
    void confirm(String doing, Collection<JobId> ids) {
        if (!ids.isEmpty()) {
            writes.confirm(doing, ids.stream().map(keys::row).toList());
        }
    }

    /** One run of the script, with the indexes of its units. No two units touch the same row or key. */
    private static final class Script {
        private final ScriptBatch batch = new ScriptBatch();
        private final List<Integer> units = new ArrayList<>();
        private final Set<String> touched = new HashSet<>();
        private int rows;

        private boolean takes(List<RowChange> changes, Set<String> touches) {
            return rows == 0 || rows + changes.size() <= MAX_ROWS && Collections.disjoint(touched, touches);
        }
    }

    private List<Script> scripts(List<Unit> units) {
        Map<Integer, Script> open = new TreeMap<>();
        List<Script> scripts = new ArrayList<>();
        for (int i = 0; i < units.size(); i++) {
            List<RowChange> changes = units.get(i).changes;
            Set<String> touches = touches(changes);
            int slot = keys.slotOf(changes.get(0).id());
            Script script = open.get(slot);
            if (script == null || !script.takes(changes, touches)) {
                script = new Script();
                open.put(slot, script);
                scripts.add(script);
            }
            add(changes, script.batch);
            script.units.add(i);
            script.touched.addAll(touches);
            script.rows += changes.size();
        }
        return scripts;
    }

    /** Returns what these changes depend on: ids, and names with keys. */
    private static Set<String> touches(List<RowChange> changes) {
        Set<String> touches = new HashSet<>();
        for (RowChange change : changes) {
            touches.add(Keyspace.member(change.id()));
            for (String field : Arrays.asList(unfinishedField(change.before()), unfinishedField(change.after()))) {
                if (field != null) {
                    touches.add(field);
                }
            }
        }
        return touches;
    }

    private void add(List<RowChange> changes, ScriptBatch batch) {
        for (RowChange change : changes) {
            Job before = change.before();
            batch.ifRow(keys.row(change.id()), before == null ? new byte[0] : format.fence(before));
            checkKey(change, changes, batch);
        }
        // Ids in ascending order can be added to the index of ids together.
        List<RowChange> byId = changes.stream()
                .sorted(Comparator.comparing(change -> Keyspace.member(change.id())))
                .toList();
        for (RowChange change : byId) {
            IndexEntry.addCommands(change, keys, batch);
            if (staysInPlace(change)) {
                // A server whose memory is full accepts a script whose first command removes something, even if there
                // is nothing to remove.
                batch.remove("ZREM", keys.endedIds(keys.slotOf(change.id())), Bytes.of(Keyspace.member(change.id())));
            }
            addLog(change, batch);
            addRow(change, batch);
        }
        batch.end();
    }

    /**
     * Tells whether a change of an unfinished job removes no entry from an index. An example is a request to cancel a
     * running job.
     */
    private static boolean staysInPlace(RowChange change) {
        Job before = change.before();
        Job after = change.after();
        return before != null
                && after != null
                && before.state() == after.state()
                && !after.state().isEnded();
    }

    /**
     * Checks the key of a job. A job may take a key if no other job has the key, or if another change of the same unit
     * removes the key from its job.
     */
    private void checkKey(RowChange change, List<RowChange> changes, ScriptBatch batch) {
        String field = unfinishedField(change.after());
        boolean isGivenUp = changes.stream().anyMatch(other -> Objects.equals(field, unfinishedField(other.before())));
        if (field != null && !isGivenUp) {
            batch.ifField(keys.keys(keys.slotOf(change.id())), field, new byte[0]);
        }
    }

    private static @Nullable String unfinishedField(@Nullable Job job) {
        return job == null || job.state().isEnded() ? null : Keyspace.field(job);
    }

    private void addRow(RowChange change, ScriptBatch batch) {
        Job before = change.before();
        Job after = change.after();
        String key = keys.row(change.id());
        if (after == null) {
            batch.remove("DEL", key);
        } else if (before != null && keepsPayload(before.task(), after.task())) {
            int payloadAt = -format.payloadLength(after);
            batch.write("SPLICE", key, format.head(after), Bytes.of(Integer.toString(payloadAt)));
        } else {
            batch.write("SET", key, format.row(after));
        }
    }

    private static boolean keepsPayload(JobTask before, JobTask after) {
        boolean isEmpty = after.oversize() == null
                && (after.payload() == null || after.payload().isEmpty());
        return !isEmpty
                && Objects.equals(before.payload(), after.payload())
                && Objects.equals(before.oversize(), after.oversize());
    }

    private void addLog(RowChange change, ScriptBatch batch) {
        String key = keys.attempts(change.id());
        if (change.after() == null) {
            batch.remove("DEL", key);
            return;
        }
        List<AttemptRecord> log = change.log();
        if (!log.isEmpty()) {
            batch.write("LPUSH", key, log.stream().map(AttemptFormat::line).toArray(byte[][]::new));
            batch.write("LTRIM", key, Bytes.of("0"), Bytes.of(Integer.toString(MAX_ATTEMPTS - 1)));
        }
    }
}
