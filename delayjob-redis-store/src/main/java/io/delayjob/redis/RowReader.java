package io.delayjob.redis;

import io.delayjob.job.Job;
import io.delayjob.job.JobId;
import io.delayjob.store.StoreException;
import io.lettuce.core.KeyValue;
import java.util.ArrayList;
import java.util.Collection;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.function.BiConsumer;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import org.jspecify.annotations.Nullable;

/**
 * Reads rows. The first read usually returns the whole row. A payload that is too long to be read never leaves the
 * server. Thread-safe.
 */
final class RowReader {

    static final int FIRST_LENGTH = 2_048;

    private static final String DOING = "reading jobs";
    private static final byte[] NO_ROW = {};

    private final RedisLink link;
    private final Keyspace keys;
    private final RowFormat format;
    private final UnreadableRows unreadable;

    RowReader(RedisLink link, Keyspace keys, RowFormat format, UnreadableRows unreadable) {
        this.link = link;
        this.keys = keys;
        this.format = format;
        this.unreadable = unreadable;
    }

    @Nullable
    Job find(JobId id) {
        return read(List.of(id)).get(id);
    }

    Map<JobId, Job> read(Collection<JobId> ids) {
        List<JobId> asked = List.copyOf(ids);
        return completed(begins(DOING, asked, FIRST_LENGTH));
    }

    /** Like {@link #read}, but leaves out jobs with rows that cannot be read. */
    Map<JobId, Job> readable(List<JobId> ids) {
        return completed(begins(DOING, ids, FIRST_LENGTH), unreadable::leaveOut);
    }

    /** Leaves out rows that do not exist. A long row is cut to at most {@code length} bytes. */
    Map<JobId, byte[]> begins(String doing, Collection<JobId> ids, int length) {
        if (ids.size() == 1) {
            JobId only = ids.iterator().next();
            byte[] begin = link.ask(doing, redis -> redis.getrange(keys.row(only), 0, length - 1));
            return begin.length == 0 ? Map.of() : Map.of(only, begin);
        }
        List<List<JobId>> lists = keys.inScripts(ids, id -> id);
        Set<Integer> plain = slotsOfShortRows(doing, lists);
        byte[] limit = Bytes.of(Integer.toString(length));
        List<RedisLink.Answer<? extends List<?>>> sent = new ArrayList<>();
        for (List<JobId> list : lists) {
            int slot = keys.slotOf(list.get(0));
            List<String> scriptKeys = new ArrayList<>(1 + list.size());
            scriptKeys.add(keys.longRows(slot));
            list.forEach(id -> scriptKeys.add(keys.row(id)));
            sent.add(
                    plain.contains(slot)
                            ? link.send(redis -> redis.mget(rowsOf(list)).thenApply(RowReader::values))
                            : link.run(LuaScript.BEGINS, scriptKeys, List.<byte[]>of(limit)));
        }
        Map<JobId, byte[]> begins = new HashMap<>(2 * ids.size());
        for (int i = 0; i < lists.size(); i++) {
            List<?> rows = link.await(doing, sent.get(i));
            for (int row = 0; row < rows.size(); row++) {
                byte[] begin = (byte[]) rows.get(row);
                if (begin.length > 0) {
                    begins.put(lists.get(i).get(row), begin);
                }
            }
        }
        return begins;
    }

    /**
     * Returns the slots that have no long rows, and have enough ids for at least one full script. If such a slot is
     * read without a script, the server has only half of the work.
     */
    private Set<Integer> slotsOfShortRows(String doing, List<List<JobId>> lists) {
        List<Integer> slots = lists.stream()
                .filter(list -> list.size() == Keyspace.MAX_ROWS)
                .map(list -> keys.slotOf(list.get(0)))
                .distinct()
                .toList();
        List<Long> exist = link.askAll(doing, slots, (redis, slot) -> redis.exists(keys.longRows(slot)));
        return IntStream.range(0, slots.size())
                .filter(i -> exist.get(i) == 0)
                .mapToObj(slots::get)
                .collect(Collectors.toSet());
    }

    private static List<byte[]> values(List<KeyValue<String, byte[]>> rows) {
        return rows.stream().map(row -> row.getValueOrElse(NO_ROW)).toList();
    }

    /** Returns one of these ids for which a row exists; {@code null} if no id has a row. */
    @Nullable
    JobId firstPresent(List<JobId> ids) {
        List<List<JobId>> lists = keys.inScripts(ids, id -> id);
        List<Long> counts = link.askAll("looking for ids", lists, (redis, list) -> redis.exists(rowsOf(list)));
        for (int i = 0; i < lists.size(); i++) {
            if (counts.get(i) > 0) {
                return begins("looking for ids", lists.get(i), 1).keySet().stream()
                        .findFirst()
                        .orElse(null);
            }
        }
        return null;
    }

    private String[] rowsOf(List<JobId> ids) {
        return ids.stream().map(keys::row).toArray(String[]::new);
    }

    Map<JobId, Job> completed(Map<JobId, byte[]> begun) {
        return completed(begun, (id, reason) -> {
            throw reason;
        });
    }

    private Map<JobId, Job> completed(Map<JobId, byte[]> begun, BiConsumer<JobId, RuntimeException> damaged) {
        Map<JobId, Job> jobs = new HashMap<>(2 * begun.size());
        Map<JobId, byte[]> rest = begun;
        Map<JobId, Long> asked = new HashMap<>();
        while (!rest.isEmpty()) {
            List<Map.Entry<JobId, Long>> longer = new ArrayList<>();
            rest.forEach((id, row) -> {
                try {
                    long length = format.lengthToRead(id, row);
                    if (length <= row.length) {
                        jobs.put(id, format.job(id, row));
                    } else if (length > asked.getOrDefault(id, (long) FIRST_LENGTH)) {
                        longer.add(Map.entry(id, length));
                    } else {
                        throw truncated(id, row.length, length);
                    }
                } catch (RuntimeException reason) {
                    damaged.accept(id, reason);
                }
            });
            longer.forEach(job -> asked.put(job.getKey(), job.getValue()));
            rest = readAgain(longer);
        }
        return jobs;
    }

    private StoreException truncated(JobId id, long length, long expected) {
        return StoreException.refused(
                "The row of job %s has %d bytes: must have at least %d; restore the key %s, or delete it."
                        .formatted(id, length, expected, keys.row(id)));
    }

    private Map<JobId, byte[]> readAgain(List<Map.Entry<JobId, Long>> longer) {
        List<byte[]> rows = link.askAll(
                DOING, longer, (redis, job) -> redis.getrange(keys.row(job.getKey()), 0, job.getValue() - 1));
        return present(longer.stream().map(Map.Entry::getKey).toList(), rows);
    }

    private static Map<JobId, byte[]> present(List<JobId> ids, List<byte[]> rows) {
        Map<JobId, byte[]> present = new HashMap<>();
        for (int i = 0; i < ids.size(); i++) {
            if (rows.get(i).length > 0) {
                present.put(ids.get(i), rows.get(i));
            }
        }
        return present;
    }

    /** Returns the unfinished jobs that have these names and keys, by {@link Keyspace#field}. */
    Map<String, JobId> holders(Map<String, Integer> slotsByField) {
        List<Map.Entry<String, Integer>> fields = List.copyOf(slotsByField.entrySet());
        List<byte[]> ids = link.askAll(
                "looking for keys", fields, (redis, field) -> redis.hget(keys.keys(field.getValue()), field.getKey()));
        Map<String, JobId> holders = new HashMap<>();
        for (int i = 0; i < fields.size(); i++) {
            byte[] id = ids.get(i);
            if (id != null) {
                holders.put(fields.get(i).getKey(), Keyspace.id(id));
            }
        }
        return holders;
    }
}
