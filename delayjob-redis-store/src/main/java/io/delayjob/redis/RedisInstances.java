package io.delayjob.redis;

import io.delayjob.job.JobId;
import io.delayjob.store.ClusterView;
import io.delayjob.store.InstanceRow;
import io.delayjob.store.InstanceStore;
import io.delayjob.store.Vitals;
import io.delayjob.store.VitalsText;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.Collection;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.OptionalLong;
import java.util.Set;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;

/**
 * Stores the register of instances. All keys of the register are in one slot, so a single server orders all changes.
 * This server's clock is the clock of the store. Thread-safe.
 */
final class RedisInstances implements InstanceStore {

    private static final int MAX_NOTICES = 5_000;

    private static final String DOING = "reading the register of instances";
    private static final long MICROS_PER_SECOND = 1_000_000;

    private final RedisLink link;
    private final Writes writes;
    private final Keyspace keys;
    private final RedisPauses pauses;
    private final String instances;
    private final String beats;
    private final String held;
    private final String stopping;
    private final String vitalsKey;
    private final String handlersKey;

    RedisInstances(RedisLink link, Writes writes, Keyspace keys, RedisPauses pauses) {
        this.link = link;
        this.writes = writes;
        this.keys = keys;
        this.pauses = pauses;
        this.instances = keys.meta("instances");
        this.beats = keys.meta("beats");
        this.held = keys.meta("held");
        this.stopping = keys.meta("stopping");
        this.vitalsKey = keys.meta("vitals");
        this.handlersKey = keys.meta("handlers");
    }

    private String notices(long number) {
        return keys.meta("cancel:" + number);
    }

    @Override
    public long register(String incarnation, Set<String> queues, Set<Set<String>> handlers) {
        List<String> numbers = List.of(keys.meta("numbers"), instances);
        List<Object> taken = link.await("registering an instance", link.run(LuaScript.NUMBER, numbers, List.of()));
        long number = (Long) taken.get(0);
        List<@Nullable String> texts = new ArrayList<>(queues);
        texts.add(0, incarnation);
        String field = Long.toString(number);
        apply(
                "registering an instance",
                new ScriptBatch()
                        // A server with full memory accepts a script if its first command removes something.
                        .remove("SREM", stopping, Bytes.of(field))
                        .write("HSET", beats, Bytes.of(field), Bytes.of("0"))
                        .write("HSET", handlersKey, Bytes.of(field), packed(handlers))
                        .write("HSET", instances, Bytes.of(field), Bytes.packed(texts)));
        writes.confirm("registering an instance", List.of(instances));
        return number;
    }

    @Override
    public OptionalLong beat(long number, boolean isStopping, @Nullable Vitals vitals) {
        byte[] field = Bytes.of(Long.toString(number));
        ScriptBatch batch = new ScriptBatch()
                .ifMember(instances, Long.toString(number))
                // A server with full memory accepts a script if its first command removes something, even if nothing is
                // there.
                .remove("HDEL", vitalsKey, field)
                .write("HINCRBY", beats, field, Bytes.of("1"));
        if (isStopping) {
            batch.write("SADD", stopping, field);
        } else {
            batch.remove("SREM", stopping, field);
        }
        if (vitals != null) {
            batch.write("HSET", vitalsKey, field, VitalsText.write(vitals).getBytes(StandardCharsets.UTF_8));
        }
        return apply("sending a heartbeat", batch) ? OptionalLong.of(clockMicros()) : OptionalLong.empty();
    }

    long clockMicros() {
        List<Object> time = link.await("reading the clock", link.run(LuaScript.TIME, List.of(instances), List.of()));
        return number(time.get(0)) * MICROS_PER_SECOND + number(time.get(1));
    }

    private static long number(Object bytes) {
        return Long.parseLong(Bytes.text((byte[]) bytes));
    }

    @Override
    public ClusterView look(long number) {
        List<Object> seen = link.await(
                DOING,
                link.run(
                        LuaScript.LOOK,
                        List.of(instances, beats, held, stopping, pauses.key(), notices(number)),
                        List.of(Bytes.of(Integer.toString(MAX_NOTICES)))));
        Set<JobId> asked = list(seen.get(5)).stream().map(Keyspace::id).collect(Collectors.toSet());
        Map<String, byte[]> noVitals = Map.of();
        return new ClusterView(
                rows(map(seen.get(0)), map(seen.get(1)), map(seen.get(2)), list(seen.get(3)), noVitals),
                RedisPauses.paused(map(seen.get(4)).keySet()),
                asked);
    }

    @Override
    public List<InstanceRow> list() {
        List<Object> seen = link.await(
                DOING,
                link.run(
                        LuaScript.LOOK,
                        List.of(instances, beats, held, stopping, pauses.key(), notices(0)),
                        List.of(Bytes.of("1"))));
        Map<String, byte[]> told = link.ask(DOING, redis -> redis.hgetall(vitalsKey));
        return rows(map(seen.get(0)), map(seen.get(1)), map(seen.get(2)), list(seen.get(3)), told);
    }

    private static List<InstanceRow> rows(
            Map<String, byte[]> instances,
            Map<String, byte[]> beats,
            Map<String, byte[]> held,
            List<byte[]> stopping,
            Map<String, byte[]> vitals) {
        Set<String> stops = stopping.stream().map(Bytes::text).collect(Collectors.toSet());
        List<InstanceRow> rows = new ArrayList<>();
        instances.forEach((field, packed) -> {
            List<@Nullable String> texts = Bytes.unpacked(packed);
            byte[] told = vitals.get(field);
            rows.add(new InstanceRow(
                    Long.parseLong(field),
                    Objects.requireNonNull(texts.get(0)),
                    texts.stream().skip(1).map(Objects::requireNonNull).collect(Collectors.toUnmodifiableSet()),
                    stops.contains(field),
                    longOf(beats.get(field)),
                    longOf(held.get(field)),
                    told == null ? null : VitalsText.read(Bytes.fromUtf8(told))));
        });
        return rows;
    }

    private static long longOf(byte @Nullable [] number) {
        return number == null ? 0 : number(number);
    }

    @SuppressWarnings("unchecked")
    private static List<byte[]> list(Object answer) {
        return (List<byte[]>) answer;
    }

    /** In the answer of a script, each field of a hash is followed by its value. */
    private static Map<String, byte[]> map(Object answer) {
        List<byte[]> parts = list(answer);
        Map<String, byte[]> map = new HashMap<>();
        for (int i = 0; i < parts.size(); i += 2) {
            map.put(Bytes.text(parts.get(i)), parts.get(i + 1));
        }
        return map;
    }

    @Override
    public Map<Long, Set<Set<String>>> handlersByInstance() {
        Map<Long, Set<Set<String>>> handlers = new HashMap<>();
        Map<String, byte[]> packed = link.ask(DOING, redis -> redis.hgetall(handlersKey));
        packed.forEach((field, names) -> handlers.put(Long.parseLong(field), unpacked(names)));
        return handlers;
    }

    /** Each handler is written as the number of its names, followed by its names. */
    private static byte[] packed(Set<Set<String>> handlers) {
        List<@Nullable String> texts = new ArrayList<>();
        for (Set<String> names : handlers) {
            texts.add(Integer.toString(names.size()));
            texts.addAll(names);
        }
        return Bytes.packed(texts);
    }

    private static Set<Set<String>> unpacked(byte[] packed) {
        List<@Nullable String> texts = Bytes.unpacked(packed);
        Set<Set<String>> handlers = new HashSet<>();
        int at = 0;
        while (at < texts.size()) {
            int names = Integer.parseInt(texts.get(at));
            handlers.add(texts.subList(at + 1, at + 1 + names).stream()
                    .map(Objects::requireNonNull)
                    .collect(Collectors.toUnmodifiableSet()));
            at += 1 + names;
        }
        return handlers;
    }

    /** Asks the owners to cancel these jobs. Instances that have left the register get no notice. */
    void noteCancellations(Map<JobId, Long> owners) {
        if (owners.isEmpty()) {
            return;
        }
        ScriptBatch batch = new ScriptBatch();
        owners.forEach((job, owner) -> {
            byte[] notice = Bytes.of(Keyspace.member(job));
            batch.ifMember(instances, Long.toString(owner))
                    .remove("SREM", notices(owner), notice)
                    .write("SADD", notices(owner), notice)
                    .end();
        });
        writes.run("writing requests to cancel", LuaScript.APPLY, List.of(new Writes.Call(batch)));
    }

    @Override
    public void forgetCancellations(long number, Collection<JobId> jobs) {
        if (!jobs.isEmpty()) {
            byte[][] members =
                    jobs.stream().map(Keyspace::member).map(Bytes::of).toArray(byte[][]::new);
            link.ask("forgetting cancellations", redis -> redis.srem(notices(number), members));
        }
    }

    @Override
    public void acknowledgePauses(long number, long fingerprint) {
        String field = Long.toString(number);
        apply(
                "confirming pauses",
                new ScriptBatch()
                        .ifMember(instances, field)
                        .remove("HDEL", held, Bytes.of(field))
                        .write("HSET", held, Bytes.of(field), Bytes.of(Long.toString(fingerprint))));
    }

    @Override
    public boolean remove(long number, long seenBeats) {
        ScriptBatch batch = new ScriptBatch().ifField(beats, Long.toString(number), Bytes.of(Long.toString(seenBeats)));
        return apply("removing a silent instance", removal(batch, number));
    }

    @Override
    public void deregister(long number) {
        apply("removing an instance", removal(new ScriptBatch(), number));
    }

    private ScriptBatch removal(ScriptBatch batch, long number) {
        byte[] field = Bytes.of(Long.toString(number));
        for (String key : List.of(instances, beats, held, vitalsKey, handlersKey)) {
            batch.remove("HDEL", key, field);
        }
        return batch.remove("SREM", stopping, field).remove("DEL", notices(number));
    }

    private boolean apply(String doing, ScriptBatch batch) {
        batch.end();
        List<Object> answer = link.await(doing, link.run(LuaScript.APPLY, batch.keys(), batch.arguments()));
        return Long.valueOf(1).equals(answer.get(0));
    }
}
