package io.delayjob.redis;

import io.delayjob.job.DueRow;
import io.delayjob.job.Job;
import io.delayjob.job.JobId;
import io.delayjob.job.Partition;
import java.time.Instant;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

/**
 * Claims rows by a script, which runs once for the rows of each slot. The script also returns the claimed jobs.
 * Thread-safe.
 */
final class ClaimScript {

    private static final String DOING = "claiming jobs";

    private final Writes writes;
    private final Keyspace keys;
    private final RowReader reader;

    ClaimScript(Writes writes, Keyspace keys, RowReader reader) {
        this.writes = writes;
        this.keys = keys;
        this.reader = reader;
    }

    List<Job> claim(List<DueRow> rows, long owner, long freshToken, Instant now) {
        List<List<DueRow>> lists = keys.inScripts(rows, DueRow::id);
        Writes.Runs runs = writes.begin(DOING, LuaScript.CLAIM);
        lists.forEach(list -> runs.add(call(list, owner, freshToken, now)));
        List<List<Object>> answers = runs.answers();
        Map<JobId, byte[]> begun = new HashMap<>(2 * rows.size());
        for (int i = 0; i < lists.size(); i++) {
            List<Object> claimed = answers.get(i);
            for (int row = 0; row < claimed.size(); row++) {
                if (claimed.get(row) instanceof byte[] begin) {
                    begun.put(lists.get(i).get(row).id(), begin);
                }
            }
        }
        // The script does not return the whole of a long row, so the row is read after its claim. If the row has
        // changed since the claim, the claim is no longer valid.
        return reader.completed(begun).values().stream()
                .filter(job -> job.token() == freshToken)
                .toList();
    }

    private Writes.Call call(List<DueRow> rows, long owner, long freshToken, Instant now) {
        int slot = keys.slotOf(rows.get(0).id());
        Map<Partition, Integer> partitions = new LinkedHashMap<>();
        rows.forEach(row -> partitions.computeIfAbsent(row.partition(), p -> partitions.size() + 1));
        List<String> scriptKeys = new ArrayList<>(2 + 2 * partitions.size() + rows.size());
        scriptKeys.add(keys.awaiting(slot));
        scriptKeys.add(keys.longRows(slot));
        partitions.keySet().forEach(partition -> {
            scriptKeys.add(keys.due(slot, partition));
            scriptKeys.add(keys.running(slot, partition));
        });
        PackedArray packed = new PackedArray();
        for (DueRow row : rows) {
            scriptKeys.add(keys.row(row.id()));
            packed.add(partitions.getOrDefault(row.partition(), 0))
                    .add(row.id())
                    .add(RowFormat.waiting(row.token()))
                    .add(RowFormat.claimed(freshToken, owner, Math.max(now.toEpochMilli(), row.dueMillis())))
                    .addDigits(row.dueMillis());
        }
        return new Writes.Call(
                scriptKeys, List.of(text(partitions.size()), text(RowReader.FIRST_LENGTH), packed.toBytes()));
    }

    private static byte[] text(int number) {
        return Bytes.of(Integer.toString(number));
    }
}
