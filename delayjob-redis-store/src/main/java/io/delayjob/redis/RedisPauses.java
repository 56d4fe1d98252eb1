package io.delayjob.redis;

import io.delayjob.job.PauseNote;
import io.delayjob.job.Paused;
import io.delayjob.job.PausedName;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Collection;
import java.util.Comparator;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/** Stores paused handlers and queues in a hash with a field for each name. Thread-safe. */
final class RedisPauses {

    private static final char HANDLER = 'H';
    private static final char QUEUE = 'Q';

    private final RedisLink link;
    private final Writes writes;
    private final String key;

    RedisPauses(RedisLink link, Writes writes, Keyspace keys) {
        this.link = link;
        this.writes = writes;
        this.key = keys.meta("paused");
    }

    String key() {
        return key;
    }

    boolean add(Paused what, PauseNote note) {
        byte[] value =
                Bytes.packed(Arrays.asList(Long.toString(note.since().toEpochMilli()), note.by(), note.reason()));
        ScriptBatch batch = new ScriptBatch();
        for (String field : fields(what)) {
            batch.ifField(key, field, new byte[0])
                    // A server with full memory accepts a script if its first command removes something.
                    .remove("HDEL", key, Bytes.of(field))
                    .write("HSET", key, Bytes.of(field), value)
                    .end();
        }
        return apply("pausing", batch);
    }

    boolean remove(Paused what) {
        ScriptBatch batch = new ScriptBatch();
        for (String field : fields(what)) {
            batch.ifMember(key, field).remove("HDEL", key, Bytes.of(field)).end();
        }
        return apply("resuming", batch);
    }

    private boolean apply(String doing, ScriptBatch batch) {
        return !batch.keys().isEmpty()
                && writes.run(doing, LuaScript.APPLY, List.of(new Writes.Call(batch)))
                        .get(0)
                        .contains(1L);
    }

    private static List<String> fields(Paused what) {
        List<String> fields = new ArrayList<>();
        what.handlers().forEach(name -> fields.add(HANDLER + Bytes.text(Bytes.utf8(name))));
        what.queues().forEach(name -> fields.add(QUEUE + Bytes.text(Bytes.utf8(name))));
        return fields;
    }

    Paused paused() {
        return paused(link.ask("reading the pauses", redis -> redis.hkeys(key)));
    }

    static Paused paused(Collection<String> fields) {
        Set<String> handlers = new HashSet<>();
        Set<String> queues = new HashSet<>();
        fields.forEach(field -> (field.charAt(0) == HANDLER ? handlers : queues).add(name(field)));
        return new Paused(handlers, queues);
    }

    private static String name(String field) {
        return Bytes.fromUtf8(Bytes.of(field.substring(1)));
    }

    List<PausedName> all() {
        Map<String, byte[]> notes = link.ask("reading the pauses", redis -> redis.hgetall(key));
        List<PausedName> names = new ArrayList<>();
        notes.forEach((field, note) -> names.add(new PausedName(
                field.charAt(0) == HANDLER ? PausedName.Kind.HANDLER : PausedName.Kind.QUEUE,
                name(field),
                note(Bytes.unpacked(note)))));
        names.sort(Comparator.comparing(PausedName::kind).thenComparing(PausedName::name));
        return names;
    }

    private static PauseNote note(List<@Nullable String> texts) {
        long since = Long.parseLong(Objects.requireNonNull(texts.get(0)));
        return new PauseNote(Instant.ofEpochMilli(since), texts.get(1), texts.get(2));
    }
}
