package io.delayjob.redis;

import io.delayjob.job.AttemptRecord;
import io.delayjob.job.Job;
import io.delayjob.job.JobId;
import io.delayjob.job.JobState;
import io.delayjob.job.JobTask;
import java.util.ArrayList;
import java.util.Collection;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Set;
import java.util.TreeMap;
import java.util.function.Consumer;
import java.util.stream.IntStream;
import org.jspecify.annotations.Nullable;

/**
 * Changes rows, unless they have changed since they were read. Either all changes of a {@link Unit} are written, or
 * none. Thread-safe.
 */
final class RowWriter {

    /** Maximum number of lines in the attempt log of a job. */
    private static final int MAX_ATTEMPTS = 100;

    private final Writes writes;
    private final Keyspace keys;
    private final RowFormat format;

    /** Changes of one slot that are written together, with at most one change of each job. */
    record Unit(List<RowChange> changes) {

        static Unit of(RowChange change) {
            return of(change, null);
        }

        /** @param created the row that is written together with this change; {@code null} for none */
        static Unit of(RowChange change, @Nullable RowChange created) {
            return new Unit(created == null ? List.of(change) : List.of(change, created));
        }

        private boolean isSurelyWritable() {
            for (RowChange change : changes) {
                Job after = change.after();
                if (!change.log().isEmpty() || after != null && !RowLimits.isSurelyWritable(after)) {
                    return false;
                }
            }
            return true;
        }
    }

    RowWriter(Writes writes, Keyspace keys, RowFormat format) {
        this.writes = writes;
        this.keys = keys;
        this.format = format;
    }

    /**
     * If a script refuses a unit, the script writes nothing. Then another script writes the units that were not
     * refused.
     *
     * @throws io.delayjob.store.StoreException if a row cannot be written; then no unit is written
     */
    boolean[] write(String doing, List<Unit> units) {
        boolean[] written = new boolean[units.size()];
        List<Integer> open = IntStream.range(0, units.size()).boxed().toList();
        while (!open.isEmpty()) {
            Writes.Runs runs = writes.begin(doing, LuaScript.ROWS);
            List<Script> scripts = run(units, open, runs);
            List<List<Object>> answers = runs.answers();
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

    /** If a row might be refused, no script runs before all rows are ready. */
    private List<Script> run(List<Unit> units, List<Integer> open, Writes.Runs runs) {
        List<Script> scripts = new ArrayList<>();
        boolean areSure = units.stream().allMatch(Unit::isSurelyWritable);
        prepare(units, open, script -> {
            scripts.add(script);
            if (areSure) {
                runs.add(new Writes.Call(script.batch));
            }
        });
        if (!areSure) {
            scripts.stream()
                    .map(script -> new Writes.Call(script.batch))
                    .toList()
                    .forEach(runs::add);
        }
        return scripts;
    }

    /**
     * Removes ids from an index to which they do not belong, and adds the missing index entries for the jobs. If a row
     * has changed since it was read, the script with this row changes nothing.
     *
     * @param jobs the existing jobs with these ids
     * @return the number of removed ids
     */
    int refile(String doing, String index, List<JobId> ids, Map<JobId, Job> jobs) {
        List<List<JobId>> lists = keys.inScripts(ids, id -> id);
        List<RowBatch> batches = new ArrayList<>();
        for (List<JobId> list : lists) {
            RowBatch batch = new RowBatch(new SlotIndexes(keys, keys.slotOf(list.get(0))));
            for (JobId id : list) {
                batch.remove("ZREM", index, "", id);
                Job job = jobs.get(id);
                if (job == null) {
                    batch.absent(keys.row(id));
                } else {
                    addRow(RowChange.of(job, job), batch);
                    IndexEntry.addAll(job, batch);
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

    void confirm(String doing, Collection<JobId> ids) {
        if (!ids.isEmpty()) {
            writes.confirm(doing, ids.stream().map(keys::row).toList());
        }
    }

    /** One run of the script. Two units of this run never change the same row or key. */
    private static final class Script {
        private final RowBatch batch;
        private final List<Integer> units = new ArrayList<>();
        private final Set<Object> touched = new HashSet<>();
        private int rows;

        Script(RowBatch batch) {
            this.batch = batch;
        }

        private boolean takes(List<RowChange> changes) {
            return rows == 0 || rows + changes.size() <= Keyspace.MAX_ROWS && !touchesAny(changes);
        }

        private boolean touchesAny(List<RowChange> changes) {
            for (RowChange change : changes) {
                if (touched.contains(change.id())
                        || touched.contains(unfinishedField(change.before()))
                        || touched.contains(unfinishedField(change.after()))) {
                    return true;
                }
            }
            return false;
        }

        private void touch(List<RowChange> changes) {
            for (RowChange change : changes) {
                touched.add(change.id());
                addField(change.before(), touched);
                addField(change.after(), touched);
            }
            rows += changes.size();
        }
    }

    /** @param ready gets each complete script; the scripts of one slot come in their order */
    private void prepare(List<Unit> units, List<Integer> open, Consumer<Script> ready) {
        Map<Integer, Script> bySlot = new TreeMap<>();
        for (int unit : open) {
            List<RowChange> changes = units.get(unit).changes;
            int slot = keys.slotOf(changes.get(0).id());
            Script script = bySlot.get(slot);
            if (script == null || !script.takes(changes)) {
                if (script != null) {
                    ready.accept(script);
                }
                script = new Script(new RowBatch(new SlotIndexes(keys, slot)));
                bySlot.put(slot, script);
            }
            script.batch.begin(unit);
            add(changes, script.batch);
            script.units.add(unit);
            script.touch(changes);
        }
        bySlot.values().forEach(ready);
    }

    private void add(List<RowChange> changes, RowBatch batch) {
        Set<Object> givenUp = new HashSet<>();
        changes.forEach(change -> addField(change.before(), givenUp));
        for (RowChange change : changes) {
            checkKey(change, givenUp, batch);
            IndexEntry.addCommands(change, batch);
            if (staysInPlace(change) || change.followsGroup()) {
                // A server with full memory accepts a script if its first command removes something, even if nothing is
                // there.
                batch.remove("ZREM", batch.indexes().endedIds, "", change.id());
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

    private static void addField(@Nullable Job job, Set<Object> fields) {
        String field = unfinishedField(job);
        if (field != null) {
            fields.add(field);
        }
    }

    /** A change in place, such as a request to cancel a running job, removes no entry from an index. */
    private static boolean staysInPlace(RowChange change) {
        Job before = change.before();
        Job after = change.after();
        return before != null
                && after != null
                && before.state() == after.state()
                && !after.state().isEnded();
    }

    /** Requires that no other job has the key of this job, unless a job of the same unit gives the key up. */
    private void checkKey(RowChange change, Set<Object> givenUp, RowBatch batch) {
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
        RowBatch.Present present = new RowBatch.Present(key, format.fence(before), RowLimits.isShort(before));
        if (after == null) {
            batch.delete(present);
        } else if (RowLimits.hasLongPayload(before.task()) && keepsPayload(before.task(), after.task())) {
            batch.splice(present, format.head(after), format.payloadLength(after));
        } else {
            batch.replace(present, format.row(after));
        }
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

    /** During the first attempt of a job, the attempt log has no line yet. */
    private static boolean isFirstAttempt(@Nullable Job job) {
        return job != null && job.state() == JobState.RUNNING && job.attempt() == 1 && !job.awaiting();
    }
}
