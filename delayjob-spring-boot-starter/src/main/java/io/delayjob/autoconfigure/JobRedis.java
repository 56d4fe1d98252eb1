package io.delayjob.autoconfigure;

import io.delayjob.redis.RedisJobStore;
import io.delayjob.redis.RedisJobStoreBuilder;
import io.lettuce.core.AbstractRedisClient;
import io.lettuce.core.RedisClient;
import io.lettuce.core.cluster.RedisClusterClient;
import org.jspecify.annotations.Nullable;
import org.springframework.beans.factory.ObjectProvider;
import org.springframework.data.redis.connection.RedisConnectionFactory;
import org.springframework.data.redis.connection.lettuce.LettuceConnectionFactory;

/**
 * The Redis that keeps the jobs.
 *
 * @param connections connects to it
 */
record JobRedis(LettuceConnectionFactory connections) {

    static JobRedis choose(ObjectProvider<RedisConnectionFactory> any, ObjectProvider<RedisConnectionFactory> marked) {
        @Nullable RedisConnectionFactory chosen = marked.getIfAvailable(any::getIfAvailable);
        if (chosen instanceof LettuceConnectionFactory lettuce) {
            return new JobRedis(lettuce);
        }
        throw JobDatabaseException.withoutLettuce(
                chosen == null ? "none" : "a " + chosen.getClass().getName());
    }

    /** Returns a builder of a store on this Redis. It uses the client, and opens connections of its own. */
    RedisJobStoreBuilder store() {
        AbstractRedisClient client = connections.getRequiredNativeClient();
        return client instanceof RedisClusterClient cluster
                ? RedisJobStore.builder(cluster)
                : RedisJobStore.builder((RedisClient) client);
    }
}
