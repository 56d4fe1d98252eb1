package io.delayjob.redis;

import io.delayjob.job.AttemptRecord;
import io.delayjob.job.Job;
import io.delayjob.job.JobId;
import io.delayjob.job.JobState;
import io.delayjob.job.JobTask;
import java.util.ArrayList;
import java.util.Collection;
import java.util.Collections;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Set;
import java.util.TreeMap;
import java.util.stream.IntStream;
import org.jspecify.annotations.Nullable;

/**
 * Writes changes of rows that have not changed since they were read. The changes of one {@link Unit} are written
 * together or not at all. Thread-safe.
 */
final class RowWriter {

    /**
     * Maximum length of the payload, and of the extras, of a short row, in characters. The server compares all short
     * rows by one command, and gets them again as a whole. A longer payload never leaves the server.
     */
    private static final int MAX_SHORT = 500;

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

    /**
     * Writes the units, and returns which of them were written. A script that refuses a unit has written nothing. So the
     * other units of this script are written by another one.
     */
    boolean[] write(String doing, List<Unit> units) {
        boolean[] written = new boolean[units.size()];
        List<Integer> open = IntStream.range(0, units.size()).boxed().toList();
        while (!open.isEmpty()) {
            List<Script> scripts = scripts(units, open);
            List<List<Object>> answers = writes.run(
                    doing,
                    LuaScript.ROWS,
                    scripts.stream()
                            .map(script -> new Writes.Call(script.batch))
                            .toList());
            open = new ArrayList<>();
            for (int i = 0; i < scripts.size(); i++) {
                List<Integer> ofScript = scripts.get(i).units;
                Set<Integer> refused = scripts.get(i).batch.refused(answers.get(i));
                if (refused.isEmpty()) {
                    ofScript.forEach(unit -> written[unit] = true);
                } else {
                    ofScript.removeAll(refused);
                    open.addAll(ofScript);
                }
            }
        }
        return written;
    }

    /**
     * Takes ids out of an index to which they do not belong, and adds the entries that their jobs lack. Leaves out the
     * ids of a script that finds a row changed since it was read.
     *
     * @param ids entries of the index, all of one slot
     * @param jobs the jobs of these ids that exist
     * @return the number of ids that were taken out
     */
    int refile(String doing, String index, List<JobId> ids, Map<JobId, Job> jobs) {
        List<List<JobId>> lists = keys.inScripts(ids, id -> id);
        List<RowBatch> batches = new ArrayList<>();
        for (List<JobId> list : lists) {
            RowBatch batch = new RowBatch();
            for (JobId id : list) {
                batch.remove("ZREM", index, Keyspace.member(id));
                Job job = jobs.get(id);
                if (job == null) {
                    batch.absent(keys.row(id));
                } else {
                    addRow(RowChange.of(job, job), batch);
                    IndexEntry.addAll(job, keys, batch);
                }
            }
            batches.add(batch);
        }
        List<List<Object>> answers = writes.run(
                doing, LuaScript.ROWS, batches.stream().map(Writes.Call::new).toList());
        return IntStream.range(0, lists.size())
                .filter(i -> answers.get(i).isEmpty())
                .map(i -> lists.get(i).size())
                .sum();
    }

    /** Waits until the rows of these jobs, which this call has only read, are as durable as the store promises. */
    void confirm(String doing, Collection<JobId> ids) {
        if (!ids.isEmpty()) {
            writes.confirm(doing, ids.stream().map(keys::row).toList());
        }
    }

    /** One run of the script, with the indexes of its units. No two units touch the same row or key. */
    private static final class Script {
        private final RowBatch batch = new RowBatch();
        private final List<Integer> units = new ArrayList<>();
        private final Set<String> touched = new HashSet<>();
        private int rows;

        private boolean takes(List<RowChange> changes, Set<String> touches) {
            return rows == 0 || rows + changes.size() <= Keyspace.MAX_ROWS && Collections.disjoint(touched, touches);
        }
    }

    private List<Script> scripts(List<Unit> units, List<Integer> open) {
        Map<Integer, Script> bySlot = new TreeMap<>();
        List<Script> scripts = new ArrayList<>();
        for (int unit : open) {
            List<RowChange> changes = units.get(unit).changes;
            Set<String> touches = touches(changes);
            int slot = keys.slotOf(changes.get(0).id());
            Script script = bySlot.get(slot);
            if (script == null || !script.takes(changes, touches)) {
                script = new Script();
                bySlot.put(slot, script);
                scripts.add(script);
            }
            script.batch.begin(unit);
            add(changes, script.batch);
            script.units.add(unit);
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
            addField(change.before(), touches);
            addField(change.after(), touches);
        }
        return touches;
    }

    private void add(List<RowChange> changes, RowBatch batch) {
        Set<String> givenUp = new HashSet<>();
        changes.forEach(change -> addField(change.before(), givenUp));
        for (RowChange change : changes) {
            checkKey(change, givenUp, batch);
            IndexEntry.addCommands(change, keys, batch);
            if (staysInPlace(change) || change.followsGroup()) {
                // A server whose memory is full accepts a script whose first command removes something, even if there
                // is nothing to remove.
                batch.remove("ZREM", keys.endedIds(keys.slotOf(change.id())), Keyspace.member(change.id()));
            }
            addLog(change, batch);
            addRow(change, batch);
            addCount(change, batch);
        }
    }

    private void addCount(RowChange change, RowBatch batch) {
        GroupCount count = change.counted();
        if (count != null) {
            int slot = keys.slotOf(change.id());
            String numbers = keys.groupNumbers(slot, count.group());
            if (count.unless() != null) {
                batch.ifMissing(numbers, count.unless());
            }
            batch.count(numbers, count.field());
            if (!count.isMark()) {
                batch.addOnce("SADD", keys.changedGroups(slot), Keyspace.member(count.group()));
            }
        }
    }

    private static void addField(@Nullable Job job, Set<String> fields) {
        String field = unfinishedField(job);
        if (field != null) {
            fields.add(field);
        }
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
    private void checkKey(RowChange change, Set<String> givenUp, RowBatch batch) {
        String field = unfinishedField(change.after());
        if (field != null && !givenUp.contains(field)) {
            batch.ifFree(keys.keys(keys.slotOf(change.id())), field);
        }
    }

    private static @Nullable String unfinishedField(@Nullable Job job) {
        return job == null || job.state().isEnded() ? null : Keyspace.field(job);
    }

    private void addRow(RowChange change, RowBatch batch) {
        Job before = change.before();
        Job after = change.after();
        String key = keys.row(change.id());
        if (before == null) {
            batch.create(key, format.row(Objects.requireNonNull(after)));
            return;
        }
        RowBatch.Present present = new RowBatch.Present(key, format.fence(before), isShort(before));
        if (after == null) {
            batch.delete(present);
        } else if (hasLongPayload(before.task()) && keepsPayload(before.task(), after.task())) {
            batch.splice(present, format.head(after), -format.payloadLength(after));
        } else {
            batch.replace(present, format.row(after));
        }
    }

    private static boolean isShort(Job job) {
        String extras = job.task().extras();
        return !hasLongPayload(job.task()) && (extras == null || extras.length() <= MAX_SHORT) && job.failure() == null;
    }

    private static boolean hasLongPayload(JobTask task) {
        return task.oversize() != null
                || task.payload() != null && task.payload().length() > MAX_SHORT;
    }

    private static boolean keepsPayload(JobTask before, JobTask after) {
        return Objects.equals(before.payload(), after.payload()) && Objects.equals(before.oversize(), after.oversize());
    }

    private void addLog(RowChange change, RowBatch batch) {
        String key = keys.attempts(change.id());
        if (change.after() == null) {
            if (!isFirstAttempt(change.before())) {
                batch.delete(key);
            }
            return;
        }
        List<AttemptRecord> log = change.log();
        if (!log.isEmpty()) {
            batch.add(
                    "LPUSH",
                    key,
                    log.stream().map(AttemptFormat::line).map(Bytes::text).toArray(String[]::new));
            batch.add("LTRIM", key, "0", Integer.toString(MAX_ATTEMPTS - 1));
        }
    }

    /** Tells whether the first attempt of a job runs. Then no attempt has a line in the log. */
    private static boolean isFirstAttempt(@Nullable Job job) {
        return job != null && job.state() == JobState.RUNNING && job.attempt() == 1 && !job.awaiting();
    }
}
