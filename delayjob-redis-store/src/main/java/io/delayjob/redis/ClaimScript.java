package io.delayjob.redis;

import io.delayjob.job.DueRow;
import io.delayjob.job.Job;
import io.delayjob.job.JobId;
import io.delayjob.job.Partition;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Collections;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.stream.Collectors;

/** Claims rows by a script, which runs once for the rows of each slot. Thread-safe. */
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
        // A script calls two commands for each partition, so the rows of a partition go to the same script.
        List<DueRow> neighbours = new ArrayList<>(rows.size());
        byPartition(rows).values().forEach(neighbours::addAll);
        // Redis searches a small sorted set from its start, which costs least if the last members come first.
        Collections.reverse(neighbours);
        List<List<DueRow>> lists = keys.inScripts(neighbours, DueRow::id);
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
        // The script does not return the whole of a long row, so these rows are read after their claim.
        Map<JobId, Job> jobs = reader.completed(begun);
        return rows.stream()
                .map(row -> jobs.get(row.id()))
                .filter(job -> job != null && job.token() == freshToken)
                .toList();
    }

    private static Map<Partition, List<DueRow>> byPartition(List<DueRow> rows) {
        return rows.stream().collect(Collectors.groupingBy(DueRow::partition, LinkedHashMap::new, Collectors.toList()));
    }

    private Writes.Call call(List<DueRow> rows, long owner, long freshToken, Instant now) {
        int slot = keys.slotOf(rows.get(0).id());
        List<String> scriptKeys = new ArrayList<>(List.of(keys.awaiting(slot), keys.longRows(slot)));
        Map<Long, Integer> places = new HashMap<>();
        PackedArray dues = new PackedArray();
        PackedArray begins = new PackedArray();
        PackedArray partitions = new PackedArray();
        byPartition(rows).forEach((partition, ofPartition) -> {
            scriptKeys.add(keys.due(slot, partition));
            scriptKeys.add(keys.running(slot, partition));
            PackedArray claims = new PackedArray();
            for (DueRow row : ofPartition) {
                Integer place = places.get(row.dueMillis());
                if (place == null) {
                    place = places.size() + 1;
                    places.put(row.dueMillis(), place);
                    dues.addDigits(row.dueMillis());
                    begins.add(RowFormat.claimed(freshToken, owner, Math.max(now.toEpochMilli(), row.dueMillis())));
                }
                claims.add(RowFormat.waiting(row.token())).add(place).add(row.id());
            }
            partitions.add(claims);
        });
        rows.forEach(row -> scriptKeys.add(keys.row(row.id())));
        byte[] claims = new PackedArray().add(dues).add(begins).add(partitions).toBytes();
        return new Writes.Call(scriptKeys, List.of(text(RowReader.FIRST_LENGTH), claims));
    }

    private static byte[] text(int number) {
        return Bytes.of(Integer.toString(number));
    }
}
