package io.delayjob.redis;

import io.delayjob.store.StoreCapabilities;
import io.delayjob.store.StoreCapability;
import java.util.EnumSet;
import java.util.Set;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

final class RedisPromises {

    private static final Pattern VERSION = Pattern.compile("(?m)^(valkey|redis)_version:(\\S+)");

    private RedisPromises() {}

    static StoreCapabilities of(Keyspace keys, Writes writes) {
        Set<StoreCapability> has = EnumSet.of(
                StoreCapability.GIVEN_IDS,
                StoreCapability.GROUPS,
                StoreCapability.QUERIES_OF_ALL_STATES,
                StoreCapability.STATISTICS);
        if (keys.slots() == 1) {
            has.add(StoreCapability.BATCHES_ACROSS_GROUPS);
        }
        return new StoreCapabilities(writes.durability(), has);
    }

    static String server(RedisLink link) {
        Matcher version = VERSION.matcher(link.ask("asking for the version", redis -> redis.info("server")));
        String server = "Redis";
        while (version.find()) {
            boolean isValkey = version.group(1).equals("valkey");
            server = (isValkey ? "Valkey " : "Redis ") + version.group(2);
            if (isValkey) {
                return server;
            }
        }
        return server;
    }
}
