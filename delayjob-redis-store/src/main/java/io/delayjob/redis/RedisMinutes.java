package io.delayjob.redis;

import io.delayjob.store.MinuteCounts;
import io.delayjob.store.MinuteRow;
import io.delayjob.store.MinuteSpan;
import io.delayjob.store.MinuteSum;
import io.lettuce.core.Range;
import java.nio.ByteBuffer;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;

/** Stores the statistics in a hash for each hour, with a field for each minute, instance and name. Thread-safe. */
final class RedisMinutes {

    private static final long HOUR_MILLIS = Duration.ofHours(1).toMillis();
    private static final int PLACE_LENGTH = 2 * Long.BYTES;
    private static final long NANOS_PER_MICRO = 1_000;
    private static final long MICROS_PER_SECOND = 1_000_000;

    private final RedisLink link;
    private final Keyspace keys;
    private final String hours;

    RedisMinutes(RedisLink link, Keyspace keys) {
        this.link = link;
        this.keys = keys;
        this.hours = keys.meta("hours");
    }

    private String hourKey(long hour) {
        return keys.meta("hour:" + hour);
    }

    private static long hourOf(Instant time) {
        return Math.floorDiv(time.toEpochMilli(), HOUR_MILLIS);
    }

    private static byte[] text(long hour) {
        return Bytes.of(Long.toString(hour));
    }

    void record(long owner, List<MinuteRow> rows) {
        ScriptBatch batch = new ScriptBatch();
        for (MinuteRow row : rows) {
            long hour = hourOf(row.minute());
            byte[] name = Bytes.utf8(row.name());
            byte[] field = ByteBuffer.allocate(PLACE_LENGTH + name.length)
                    .putLong(row.minute().toEpochMilli())
                    .putLong(owner)
                    .put(name)
                    .array();
            batch.write("HSETNX", hourKey(hour), field, value(row.counts()))
                    .write("ZADD", hours, text(hour), text(hour))
                    .end();
        }
        if (!rows.isEmpty()) {
            link.await("writing minutes", link.run(LuaScript.APPLY, batch.keys(), batch.arguments()));
        }
    }

    private static byte[] value(MinuteCounts counts) {
        long micros = counts.runTime().getSeconds() * MICROS_PER_SECOND
                + counts.runTime().getNano() / NANOS_PER_MICRO;
        ByteBuffer value = ByteBuffer.allocate((5 + MinuteCounts.LATE_SIZE) * Long.BYTES)
                .putLong(counts.starts())
                .putLong(counts.succeeded())
                .putLong(counts.retried())
                .putLong(counts.failed())
                .putLong(micros);
        counts.late().forEach(value::putLong);
        return value.array();
    }

    private static MinuteCounts counts(byte[] value) {
        ByteBuffer rest = ByteBuffer.wrap(value);
        long starts = rest.getLong();
        long succeeded = rest.getLong();
        long retried = rest.getLong();
        long failed = rest.getLong();
        long micros = rest.getLong();
        List<Long> late = new ArrayList<>();
        while (rest.hasRemaining()) {
            late.add(rest.getLong());
        }
        Duration runTime = Duration.ofSeconds(micros / MICROS_PER_SECOND, micros % MICROS_PER_SECOND * NANOS_PER_MICRO);
        return new MinuteCounts(starts, succeeded, retried, failed, runTime, late);
    }

    List<MinuteSum> sums(MinuteSpan span) {
        record Group(int bucket, String name) {}
        List<byte[]> present = link.ask(
                "reading minutes",
                redis -> redis.zrangebyscore(hours, Range.create(hourOf(span.from()), hourOf(span.until()))));
        Map<Group, MinuteCounts> sums = new HashMap<>();
        for (byte[] hour : present) {
            Map<String, byte[]> fields =
                    link.ask("reading minutes", redis -> redis.hgetall(hourKey(Long.parseLong(Bytes.text(hour)))));
            fields.forEach((field, value) -> {
                Instant minute = minuteOf(field);
                if (span.contains(minute)) {
                    String name = Bytes.fromUtf8(Bytes.of(field.substring(PLACE_LENGTH)));
                    sums.merge(new Group(span.bucketOf(minute), name), counts(value), MinuteCounts::plus);
                }
            });
        }
        List<MinuteSum> answer = new ArrayList<>();
        sums.forEach((group, counts) -> answer.add(new MinuteSum(group.bucket, group.name, counts)));
        return answer;
    }

    private static Instant minuteOf(String field) {
        return Instant.ofEpochMilli(ByteBuffer.wrap(Bytes.of(field)).getLong());
    }

    /** Deletes the old minutes of the oldest hour, and tells whether the next hour may also contain old minutes. */
    boolean purge(Instant before) {
        List<byte[]> oldest = link.ask("deleting minutes", redis -> redis.zrange(hours, 0, 1));
        if (oldest.isEmpty()) {
            return false;
        }
        long hour = Long.parseLong(Bytes.text(oldest.get(0)));
        if (hour >= hourOf(before)) {
            purgePart(hour, before);
            return false;
        }
        forget(hour);
        return oldest.size() > 1 && Long.parseLong(Bytes.text(oldest.get(1))) * HOUR_MILLIS < before.toEpochMilli();
    }

    private void purgePart(long hour, Instant before) {
        List<String> fields = link.ask("deleting minutes", redis -> redis.hkeys(hourKey(hour)));
        String[] old = fields.stream()
                .filter(field -> minuteOf(field).isBefore(before))
                .toArray(String[]::new);
        if (old.length == fields.size()) {
            forget(hour);
        } else if (old.length > 0) {
            link.ask("deleting minutes", redis -> redis.hdel(hourKey(hour), old));
        }
    }

    private void forget(long hour) {
        ScriptBatch batch = new ScriptBatch()
                .remove("ZREM", hours, text(hour))
                .remove("DEL", hourKey(hour))
                .end();
        link.await("deleting minutes", link.run(LuaScript.APPLY, batch.keys(), batch.arguments()));
    }
}
