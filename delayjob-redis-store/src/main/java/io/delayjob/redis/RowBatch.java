package io.delayjob.redis;

import io.delayjob.job.JobId;
import io.delayjob.store.StoreException;
import java.nio.ByteBuffer;
import java.util.ArrayList;
import java.util.Collections;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeSet;

/**
 * Collects changes of rows in one slot for one run of {@code rows.lua}. The script makes all changes, or none if a row
 * has changed since it was read. One command with many members costs the server much less than many commands.
 * Therefore, this class collects the members of each index. The script first runs the commands that remove data.
 * Therefore, a server with full memory cannot refuse only a part of the batch. Not thread-safe.
 */
final class RowBatch {

    /** Maximum length of all arguments together, in bytes: half of what Redis accepts by default. */
    private static final int MAX_LENGTH = 256 << 20;

    private final SlotIndexes slot;
    private final Map<String, Integer> indexes = new LinkedHashMap<>();
    private final Rows absent = new Rows();
    private final Rows created = new Rows();
    private final Rows replaced = new Rows();
    private final Rows deleted = new Rows();
    private final Rows longDeleted = new Rows();
    private final Rows longReplaced = new Rows();

    /** All rows, in the order of the script's keys. */
    private final List<Rows> rows = List.of(absent, created, replaced, deleted, longDeleted, longReplaced);

    /**
     * The beginnings that rows must have, each with its number. Rows of one claim often share their beginning, so the
     * script gets each beginning once.
     */
    private final Map<String, Integer> begins = new LinkedHashMap<>();

    private final PackedArray payloadLengths = new PackedArray();
    private final List<String> otherDeleted = new ArrayList<>();
    private final Map<Command, PackedArray> removals = new LinkedHashMap<>();
    private final Map<Command, PackedArray> additions = new LinkedHashMap<>();
    private final Set<Field> added = new HashSet<>();
    private final PackedArray freeFields = new PackedArray();
    private final List<Integer> unitsOfFields = new ArrayList<>();
    private final Map<Field, List<Integer>> guards = new LinkedHashMap<>();
    private final Map<Field, Integer> counts = new LinkedHashMap<>();
    private final List<JobId> leaving = new ArrayList<>();
    private final List<JobId> joining = new ArrayList<>();
    private int hash;
    private int runs;
    private int unit;

    private static final class Rows {
        private final List<String> keys = new ArrayList<>();
        private final List<Integer> units = new ArrayList<>();
        private final PackedArray begins = new PackedArray();
        private final List<byte[]> written = new ArrayList<>();
    }

    private record Command(String name, int index) {}

    private record Field(String name, int index) {}

    RowBatch(SlotIndexes slot) {
        this.slot = slot;
    }

    SlotIndexes indexes() {
        return slot;
    }

    /** The script makes or refuses all changes of a unit together. */
    void begin(int newUnit) {
        this.unit = newUnit;
    }

    void create(String key, byte[] row) {
        add(created, key);
        created.written.add(row);
    }

    void absent(String key) {
        add(absent, key);
    }

    void replace(Present present, byte[] row) {
        if (present.isShort) {
            add(replaced, present);
            replaced.written.add(row);
        } else {
            splice(present, row, 0);
        }
    }

    /** @param payloadLength length of the payload that the row keeps, in bytes; 0 if the whole row is replaced */
    void splice(Present present, byte[] head, int payloadLength) {
        add(longReplaced, present);
        longReplaced.written.add(head);
        payloadLengths.add(payloadLength);
    }

    void delete(Present present) {
        add(present.isShort ? deleted : longDeleted, present);
    }

    /**
     * A row that must not have changed since it was read.
     *
     * @param fence the first bytes that the row must have
     * @param isShort whether the server may read the whole row for the comparison; otherwise, the server reads only the
     *     row's beginning
     */
    record Present(String key, byte[] fence, boolean isShort) {}

    private void add(Rows kind, Present present) {
        add(kind, present.key);
        kind.begins.add(begins.computeIfAbsent(Bytes.text(present.fence), first -> begins.size() + 1));
    }

    private void add(Rows kind, String key) {
        kind.keys.add(key);
        kind.units.add(unit);
    }

    /** Deletes a key without a check, because the key is not a row. */
    void delete(String key) {
        otherDeleted.add(key);
    }

    /** Requires that a hash does not have a field. All calls must name the same hash. */
    void ifFree(String key, String field) {
        hash = numberOf(key);
        freeFields.add(field);
        unitsOfFields.add(unit);
    }

    /** Like {@link #ifFree}, requires that a hash does not have a field. Each call may name a different hash. */
    void ifMissing(String key, String field) {
        guards.computeIfAbsent(new Field(field, numberOf(key)), first -> new ArrayList<>())
                .add(unit);
    }

    void count(String key, String field) {
        counts.merge(new Field(field, numberOf(key)), 1, Integer::sum);
    }

    void remove(String command, String key, String field) {
        gathered(removals, command, key).add(field);
    }

    void remove(String command, String key, String text, JobId id) {
        addMember(gathered(removals, command, key), text, id);
    }

    void add(String command, String key, String... members) {
        PackedArray gathered = gathered(additions, command, key);
        for (String member : members) {
            gathered.add(member);
        }
    }

    /** The member consists of the text and the id, in this order. The text may be empty. */
    void addScored(String key, long score, String text, JobId id) {
        addMember(gathered(additions, "ZADD", key).addDigits(score), text, id);
    }

    private static void addMember(PackedArray gathered, String text, JobId id) {
        if (text.isEmpty()) {
            gathered.add(id);
        } else {
            gathered.add(text + Keyspace.member(id));
        }
    }

    void addOnce(String command, String key, String member) {
        if (added.add(new Field(member, numberOf(key)))) {
            add(command, key, member);
        }
    }

    private PackedArray gathered(Map<Command, PackedArray> commands, String command, String key) {
        return commands.computeIfAbsent(new Command(command, numberOf(key)), first -> new PackedArray());
    }

    /** All rows of a slot share one index of runs, so all calls state the same key. */
    void leave(String key, JobId id) {
        runs = numberOf(key);
        leaving.add(id);
    }

    void join(String key, JobId id) {
        runs = numberOf(key);
        joining.add(id);
    }

    private int numberOf(String index) {
        return indexes.computeIfAbsent(index, first -> indexes.size() + 1);
    }

    List<String> keys() {
        List<String> keys = new ArrayList<>(indexes.keySet());
        rows.forEach(kind -> keys.addAll(kind.keys));
        keys.addAll(otherDeleted);
        return keys;
    }

    /**
     * @throws StoreException if the arguments are too long; Redis would close the connection, which other calls also
     *     use
     */
    List<byte[]> arguments() {
        PackedArray counts = new PackedArray().add(indexes.size());
        PackedArray expected = new PackedArray();
        List<byte[]> arguments = new ArrayList<>();
        for (Rows kind : rows) {
            counts.add(kind.keys.size());
            expected.addAll(kind.begins);
            arguments.addAll(kind.written);
        }
        PackedArray different = new PackedArray();
        begins.keySet().forEach(different::add);
        byte[] changes = new PackedArray()
                .add(counts)
                .add(different)
                .add(expected)
                .add(payloadLengths)
                .add(hash)
                .add(freeFields)
                .add(packedGuards())
                .add(packed(removals))
                .add(packed(additions).addAll(packedCounts()))
                .add(runs)
                .add(ascending(leaving))
                .add(ascending(joining))
                .toBytes();
        arguments.add(0, changes);
        long length = arguments.stream().mapToLong(argument -> argument.length).sum();
        if (length > MAX_LENGTH) {
            throw StoreException.refused(
                    "A script for Redis has %,d bytes: must have at most %,d bytes; write fewer jobs at once, or jobs with shorter payloads."
                            .formatted(length, MAX_LENGTH));
        }
        return arguments;
    }

    private static PackedArray packed(Map<Command, PackedArray> commands) {
        PackedArray packed = new PackedArray();
        commands.forEach((command, arguments) ->
                packed.add(command.name).add(command.index).add(arguments));
        return packed;
    }

    private PackedArray packedGuards() {
        PackedArray packed = new PackedArray();
        guards.keySet().forEach(field -> packed.add(field.index).add(field.name));
        return packed;
    }

    private PackedArray packedCounts() {
        PackedArray packed = new PackedArray();
        counts.forEach((field, number) -> packed.add("HINCRBY")
                .add(field.index)
                .add(new PackedArray().add(field.name).add(Integer.toString(number))));
        return packed;
    }

    private static byte[] ascending(List<JobId> ids) {
        Collections.sort(ids);
        ByteBuffer run = ByteBuffer.allocate(Keyspace.ID_LENGTH * ids.size());
        for (JobId id : ids) {
            run.putLong(id.value().getMostSignificantBits()).putLong(id.value().getLeastSignificantBits());
        }
        return run.array();
    }

    /** @param answer the places of the refused changes; if there are any, the script has changed nothing */
    Set<Integer> refused(List<Object> answer) {
        Set<Integer> units = new TreeSet<>();
        for (Object place : answer) {
            units.addAll(unitsAt(((Long) place).intValue() - 1));
        }
        return units;
    }

    private List<Integer> unitsAt(int place) {
        int at = place;
        for (Rows kind : rows) {
            if (at < kind.units.size()) {
                return List.of(kind.units.get(at));
            }
            at -= kind.units.size();
        }
        if (at < unitsOfFields.size()) {
            return List.of(unitsOfFields.get(at));
        }
        at -= unitsOfFields.size();
        if (at < guards.size()) {
            return List.copyOf(guards.values()).get(at);
        }
        throw new IllegalStateException("The script has refused place %d, which does not exist.".formatted(place));
    }
}
