package io.delayjob.redis;

import io.delayjob.store.Durability;
import java.util.ArrayList;
import java.util.Collection;
import java.util.List;

/** Runs scripts, and waits only for the master, not for replicas. */
final class PlainWrites implements Writes {

    private final RedisLink link;

    PlainWrites(RedisLink link) {
        this.link = link;
    }

    @Override
    public Runs begin(String doing, LuaScript script) {
        List<RedisLink.Answer<List<Object>>> sent = new ArrayList<>();
        return new Runs() {
            @Override
            public void add(Call call) {
                sent.add(link.run(script, call.keys(), call.arguments()));
            }

            @Override
            public List<List<Object>> answers() {
                return sent.stream().map(answer -> link.await(doing, answer)).toList();
            }
        };
    }

    @Override
    public void confirm(String doing, Collection<String> keys) {
        // The master has answered.
    }

    @Override
    public Durability durability() {
        return Durability.SERVER;
    }

    @Override
    public void close() {
        // The connection belongs to the store.
    }
}
