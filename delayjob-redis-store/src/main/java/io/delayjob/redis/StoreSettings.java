package io.delayjob.redis;

import java.nio.charset.StandardCharsets;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

/** The settings that are fixed at the first use of a namespace, for all instances. */
final class StoreSettings {

    private static final String DOING = "reading the settings of the store";

    private final RedisLink link;
    private final String key;

    StoreSettings(RedisLink link, Keyspace keys) {
        this.link = link;
        this.key = keys.meta("settings");
    }

    String fixed(String name, String proposed) {
        byte[] present = value(name);
        if (present == null) {
            link.ask(DOING, redis -> redis.hsetnx(key, name, proposed.getBytes(StandardCharsets.UTF_8)));
            present = Objects.requireNonNull(value(name));
        }
        return Bytes.fromUtf8(present);
    }

    /**
     * The value is read before the write, because a server with full memory refuses even a write that changes nothing.
     */
    private byte @Nullable [] value(String name) {
        return link.ask(DOING, redis -> redis.hget(key, name));
    }

    /** @throws IllegalStateException if the layout or the number of slots differs from the first use */
    void check(Keyspace keys) {
        String layout = fixed("layout", Integer.toString(RowHead.VERSION));
        if (!layout.equals(Integer.toString(RowHead.VERSION))) {
            throw new IllegalStateException(
                    "The keys of namespace '%s' in Redis have layout %s: must have layout %d; run a version of delayjob that knows the layout, or choose another namespace."
                            .formatted(keys.namespace(), layout, RowHead.VERSION));
        }
        String slots = fixed("slots", Integer.toString(keys.slots()));
        if (!slots.equals(Integer.toString(keys.slots()))) {
            throw new IllegalStateException(
                    "Invalid number of slots %d: must be %s, as at the first use of namespace '%s', because the number decides where each job is stored; choose another namespace for another number."
                            .formatted(keys.slots(), slots, keys.namespace()));
        }
    }
}
