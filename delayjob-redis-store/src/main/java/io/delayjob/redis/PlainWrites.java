package io.delayjob.redis;

import io.delayjob.store.Durability;
import java.util.ArrayList;
import java.util.Collection;
import java.util.List;

/** Runs scripts, and waits only for the master. The scripts share one connection with all other calls. */
final class PlainWrites implements Writes {

    private final RedisLink link;

    PlainWrites(RedisLink link) {
        this.link = link;
    }

    @Override
    public List<List<Object>> run(String doing, LuaScript script, List<Call> calls) {
        List<RedisLink.Answer<List<Object>>> sent = new ArrayList<>();
        calls.forEach(call -> sent.add(link.run(script, call.keys(), call.arguments())));
        return sent.stream().map(answer -> link.await(doing, answer)).toList();
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
